CREATE TYPE "NoticeType" AS ENUM ('TURN_GAINED', 'TURN_REMINDER', 'MATCH_STARTED', 'MATCH_FINISHED', 'PING');
CREATE TYPE "WebhookFormat" AS ENUM ('STANDARD', 'DISCORD', 'SLACK');
CREATE TYPE "DeliveryStatus" AS ENUM ('PENDING', 'SENDING', 'DELIVERED', 'FAILED', 'DROPPED');

CREATE TABLE "notices" (
  "id" BIGSERIAL NOT NULL,
  "type" "NoticeType" NOT NULL,
  "match_id" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "player_id" UUID,
  "seat" INTEGER,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "deadline" TIMESTAMPTZ(3),
  "renewed" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhooks" (
  "id" UUID NOT NULL,
  "player_id" UUID NOT NULL,
  "match_id" UUID,
  "url" TEXT NOT NULL,
  "format" "WebhookFormat" NOT NULL,
  "events" "NoticeType"[],
  "secret" BYTEA NOT NULL,
  "old_secret" BYTEA,
  "old_secret_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_reason" TEXT,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "emails" (
  "player_id" UUID NOT NULL,
  "address" TEXT NOT NULL,
  "confirmed_at" TIMESTAMPTZ(3),
  "code_hash" BYTEA,
  "code_expires_at" TIMESTAMPTZ(3),
  "unsubscribe" TEXT NOT NULL,
  CONSTRAINT "emails_pkey" PRIMARY KEY ("player_id")
);

CREATE TABLE "mail_codes" (
  "id" BIGSERIAL NOT NULL,
  "digest" BYTEA NOT NULL,
  "player_id" UUID NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "mail_codes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "deliveries" (
  "id" UUID NOT NULL,
  "webhook_id" UUID,
  "type" "NoticeType" NOT NULL,
  "match_id" UUID,
  "version" INTEGER,
  "player_id" UUID NOT NULL,
  "seat" INTEGER,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "deadline" TIMESTAMPTZ(3),
  "status" "DeliveryStatus" NOT NULL DEFAULT 'PENDING',
  "forced" BOOLEAN NOT NULL DEFAULT false,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "response_code" INTEGER,
  "last_error" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "attempted_at" TIMESTAMPTZ(3),
  "next_attempt_at" TIMESTAMPTZ(3),
  CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhooks_player_id_idx" ON "webhooks"("player_id");
CREATE INDEX "webhooks_match_id_idx" ON "webhooks"("match_id");
CREATE UNIQUE INDEX "emails_code_hash_key" ON "emails"("code_hash");
CREATE UNIQUE INDEX "emails_unsubscribe_key" ON "emails"("unsubscribe");
CREATE INDEX "mail_codes_digest_idx" ON "mail_codes"("digest");
CREATE INDEX "mail_codes_player_id_idx" ON "mail_codes"("player_id");
CREATE INDEX "deliveries_webhook_id_created_at_id_idx" ON "deliveries"("webhook_id", "created_at" DESC, "id" DESC);
CREATE INDEX "deliveries_created_at_idx" ON "deliveries"("created_at");
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_player_id_fkey" FOREIGN KEY ("player_id") REFERENCES "players"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "emails" ADD CONSTRAINT "emails_player_id_fkey" FOREIGN KEY ("player_id") REFERENCES "players"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One notice waits at most for each target, match, player and type: a newer one takes its place.
CREATE UNIQUE INDEX "deliveries_pending_key" ON "deliveries" ((COALESCE("webhook_id", "player_id")), "match_id", "player_id", "type")
  WHERE "status" = 'PENDING' AND NOT "forced";

-- A function, so that the append's own plan stays small: this one's plans are kept for themselves.
CREATE FUNCTION "wants_notice"("match" UUID, "audience" UUID[]) RETURNS BOOLEAN LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM "webhooks" w WHERE w."player_id" = ANY ("audience") AND w."disabled_at" IS NULL)
      OR EXISTS (SELECT FROM "emails" e WHERE e."player_id" = ANY ("audience") AND e."confirmed_at" IS NOT NULL)
      OR EXISTS (SELECT FROM "webhooks" w WHERE w."match_id" = "match" AND w."disabled_at" IS NULL);
END $$;
