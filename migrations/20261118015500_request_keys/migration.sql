-- CreateTable
CREATE TABLE "request_keys" (
    "player_id" UUID NOT NULL,
    "key" BYTEA NOT NULL,
    "input" BYTEA NOT NULL,
    "made" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "request_keys_pkey" PRIMARY KEY ("player_id","key")
);

-- CreateIndex
CREATE INDEX "request_keys_at_idx" ON "request_keys"("at");
