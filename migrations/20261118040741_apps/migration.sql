-- AlterTable
ALTER TABLE "tokens" ADD COLUMN     "grant_id" UUID;

-- CreateTable
CREATE TABLE "app_grants" (
    "id" UUID NOT NULL,
    "player_id" UUID NOT NULL,
    "client" TEXT NOT NULL,
    "scopes" "Scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "code_hash" BYTEA,
    "code_challenge" TEXT,
    "code_expires_at" TIMESTAMPTZ(3),
    "code_used_at" TIMESTAMPTZ(3),
    "redirect_uri" TEXT,

    CONSTRAINT "app_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "hash" BYTEA NOT NULL,
    "grant_id" UUID NOT NULL,
    "scopes" "Scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "device_requests" (
    "device_hash" BYTEA NOT NULL,
    "user_code_hash" BYTEA NOT NULL,
    "client" TEXT NOT NULL,
    "scopes" "Scope"[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "interval" INTEGER NOT NULL DEFAULT 5,
    "polled_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "grant_id" UUID,

    CONSTRAINT "device_requests_pkey" PRIMARY KEY ("device_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_grants_code_hash_key" ON "app_grants"("code_hash");

-- CreateIndex
CREATE INDEX "app_grants_player_id_idx" ON "app_grants"("player_id");

-- CreateIndex
CREATE INDEX "app_grants_expires_at_idx" ON "app_grants"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_tokens_grant_id_idx" ON "refresh_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_requests_user_code_hash_key" ON "device_requests"("user_code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_requests_grant_id_key" ON "device_requests"("grant_id");

-- CreateIndex
CREATE INDEX "device_requests_expires_at_idx" ON "device_requests"("expires_at");

-- CreateIndex
CREATE INDEX "tokens_grant_id_idx" ON "tokens"("grant_id");

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "app_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_player_id_fkey" FOREIGN KEY ("player_id") REFERENCES "players"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "app_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_requests" ADD CONSTRAINT "device_requests_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "app_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
