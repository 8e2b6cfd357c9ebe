-- AlterEnum
ALTER TYPE "WebhookFormat" ADD VALUE 'WEB_PUSH';

-- CreateTable
CREATE TABLE "push_keys" (
    "id" INTEGER NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,

    CONSTRAINT "push_keys_pkey" PRIMARY KEY ("id")
);
