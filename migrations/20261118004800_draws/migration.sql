-- AlterTable
-- Matches that began before keep their derivation of chance; new ones say which they have.
ALTER TABLE "matches" ADD COLUMN     "draws" SMALLINT NOT NULL DEFAULT 1;
