-- CreateTable
CREATE TABLE "presences" (
    "player_id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "presences_pkey" PRIMARY KEY ("player_id")
);

-- CreateTable
CREATE TABLE "privacy" (
    "player_id" UUID NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT true,
    "matches" BOOLEAN NOT NULL DEFAULT true,
    "online" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "privacy_pkey" PRIMARY KEY ("player_id")
);

-- CreateTable
CREATE TABLE "bans" (
    "player_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "bans_pkey" PRIMARY KEY ("player_id")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" UUID NOT NULL,
    "reporter_id" UUID NOT NULL,
    "player_id" UUID,
    "match_id" UUID,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operator" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "player_id" UUID,
    "match_id" UUID,
    "details" JSON NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reports_player_id_idx" ON "reports"("player_id");

-- CreateIndex
CREATE INDEX "reports_reporter_id_idx" ON "reports"("reporter_id");

-- CreateIndex
CREATE INDEX "audit_entries_player_id_idx" ON "audit_entries"("player_id");

-- Players are searched by the beginning of their names, without regard to case.
CREATE INDEX "players_lower_name_idx" ON "players" (lower("name") text_pattern_ops);

-- Every match in which a player ever sat, also one whose seat was given up since; actions do not pay for it.
CREATE INDEX "events_of_seats_idx" ON "events" ("player_id") WHERE "type" IN ('JOINED', 'RESIGNED', 'TIMED_OUT');
