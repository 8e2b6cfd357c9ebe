-- AlterTable
ALTER TABLE "players" ADD COLUMN     "skeleton" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "players_skeleton_key" ON "players"("skeleton");
