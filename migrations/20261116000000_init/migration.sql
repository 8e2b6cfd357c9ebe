CREATE TYPE "PlayerKind" AS ENUM ('HUMAN', 'BOT');
CREATE TYPE "MatchStatus" AS ENUM ('OPEN', 'ACTIVE', 'FINISHED', 'CANCELLED');
CREATE TYPE "Visibility" AS ENUM ('PUBLIC', 'PRIVATE');
CREATE TYPE "EventType" AS ENUM ('JOINED', 'LEFT', 'STARTED', 'ACTED', 'UNDONE', 'RESIGNED', 'TIMED_OUT', 'ORDERED');

CREATE TABLE "players" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "kind" "PlayerKind" NOT NULL DEFAULT 'HUMAN',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "players_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "tokens" (
  "id" UUID NOT NULL,
  "player_id" UUID NOT NULL,
  "hash" BYTEA NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "tokens_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "tokens_player_id_fkey" FOREIGN KEY ("player_id") REFERENCES "players" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens" ("hash");
CREATE INDEX "tokens_player_id_idx" ON "tokens" ("player_id");

-- Every append updates a match row: room on its page keeps those updates away from the indexes (HOT).
CREATE TABLE "matches" (
  "id" UUID NOT NULL,
  "game" TEXT NOT NULL,
  "rules" INTEGER NOT NULL,
  "options" JSON NOT NULL,
  "visibility" "Visibility" NOT NULL,
  "invite" TEXT,
  "creator_id" UUID NOT NULL,
  "server_seed" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "origin" JSON,
  "position" JSON,
  "imported_at" TIMESTAMPTZ(3),
  "clock" JSON,
  "takeover" BOOLEAN NOT NULL DEFAULT false,
  "rematch_of" UUID,
  "reserved" UUID[],
  "version" INTEGER NOT NULL DEFAULT 0,
  "status" "MatchStatus" NOT NULL,
  "seats" UUID[],
  "acting" INTEGER[],
  "result" JSON,
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "deadline" TIMESTAMPTZ(3),
  CONSTRAINT "matches_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 70);
CREATE INDEX "matches_status_game_id_idx" ON "matches" ("status", "game", "id");
CREATE INDEX "matches_seats_idx" ON "matches" USING GIN ("seats");
CREATE INDEX "matches_deadline_idx" ON "matches" ("deadline");
CREATE UNIQUE INDEX "matches_rematch_of_key" ON "matches" ("rematch_of");

CREATE TABLE "events" (
  "match_id" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "type" "EventType" NOT NULL,
  "seat" INTEGER,
  "player_id" UUID,
  "action" JSON,
  "action_id" TEXT,
  "entropy" TEXT,
  "label" TEXT,
  "secret" BOOLEAN NOT NULL DEFAULT false,
  "epoch" INTEGER NOT NULL DEFAULT 0,
  "drew" BOOLEAN NOT NULL DEFAULT false,
  "acting" INTEGER[],
  "state_hash" BYTEA,
  "hash" BYTEA NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "events_pkey" PRIMARY KEY ("match_id", "version"),
  CONSTRAINT "events_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "matches" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "events_match_id_seat_action_id_key" ON "events" ("match_id", "seat", "action_id");

-- Append only, whoever holds the connection.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log is append-only';
END $$;
CREATE TRIGGER "events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE TABLE "outages" (
  "id" SERIAL NOT NULL,
  "from" TIMESTAMPTZ(3) NOT NULL,
  "to" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "outages_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "heartbeat" (
  "id" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "heartbeat_pkey" PRIMARY KEY ("id")
);
INSERT INTO "heartbeat" ("id", "at") VALUES (1, now());

-- The machine's own players (src/players/bots.ts).
INSERT INTO "players" ("id", "name", "kind") VALUES
  ('00000000-0000-7000-8000-000000000001', 'Easy bot', 'BOT'),
  ('00000000-0000-7000-8000-000000000002', 'Medium bot', 'BOT'),
  ('00000000-0000-7000-8000-000000000003', 'Hard bot', 'BOT');
