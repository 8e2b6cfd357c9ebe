-- An id that one player used for several seats of an analysis match stays with its first action. The log itself says
-- the same as before: no hash covers these ids.
ALTER TABLE "events" DISABLE TRIGGER "events_append_only";
UPDATE "events" e SET "action_id" = NULL
WHERE "action_id" IS NOT NULL AND EXISTS (
  SELECT FROM "events" f
  WHERE f."match_id" = e."match_id" AND f."player_id" = e."player_id" AND f."action_id" = e."action_id"
    AND f."version" < e."version"
);
ALTER TABLE "events" ENABLE TRIGGER "events_append_only";

-- DropIndex
DROP INDEX "events_match_id_seat_action_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "events_match_id_player_id_action_id_key" ON "events"("match_id", "player_id", "action_id");
