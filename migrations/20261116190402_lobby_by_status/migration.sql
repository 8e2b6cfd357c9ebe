-- CreateIndex
CREATE INDEX "matches_status_id_idx" ON "matches"("status", "id");
