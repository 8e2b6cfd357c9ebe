-- Old servers may still open rematches while this runs: dropping the index locks them out until the copy below is whole.
-- The copy takes about a second for every million matches.
DROP INDEX "matches_rematch_of_key";

-- CreateTable
CREATE TABLE "rematches" (
    "rematch_of" UUID NOT NULL,
    "match_id" UUID NOT NULL,

    CONSTRAINT "rematches_pkey" PRIMARY KEY ("rematch_of")
);
INSERT INTO "rematches" ("rematch_of", "match_id")
  SELECT "rematch_of", "id" FROM "matches" WHERE "rematch_of" IS NOT NULL;

-- Servers of the version before look there.
CREATE INDEX "matches_rematch_of_idx" ON "matches" ("rematch_of") WHERE "rematch_of" IS NOT NULL;

-- CreateTable
CREATE TABLE "archived_logs" (
    "match_id" UUID NOT NULL,
    "file" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "sat" UUID[],
    "gave_up" UUID[],
    "archived_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "archived_logs_pkey" PRIMARY KEY ("match_id")
);

-- CreateIndex
CREATE INDEX "archived_logs_sat_idx" ON "archived_logs" USING GIN ("sat");

-- AddForeignKey
ALTER TABLE "archived_logs" ADD CONSTRAINT "archived_logs_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "matches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Append only, whoever holds the connection; but the events of a match go once it is written down where they lie.
DROP TRIGGER "events_append_only" ON "events";
CREATE TRIGGER "events_append_only" BEFORE UPDATE OR TRUNCATE ON "events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE FUNCTION "refuse_loss"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM gone WHERE NOT EXISTS (
    SELECT FROM "archived_logs" a WHERE a."match_id" = gone."match_id" AND gone."version" <= a."version"
  )) THEN
    RAISE EXCEPTION 'the log is append-only';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "events_leave_by_archive" AFTER DELETE ON "events" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"();

-- Events are never updated, so freezing them at once costs nothing later, and no vacuum reads a page twice. By default a
-- table of a billion rows would wait for 200 million new ones, and would be read as a whole against wraparound.
ALTER TABLE "events" SET (
  autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_insert_threshold = 100000,
  autovacuum_vacuum_insert_scale_factor = 0.01
);
