-- CreateTable
CREATE TABLE "quota_counts" (
    "what" TEXT NOT NULL,
    "who" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "quota_counts_pkey" PRIMARY KEY ("what","who","since")
);

-- CreateIndex
CREATE INDEX "quota_counts_since_idx" ON "quota_counts"("since");

-- CreateIndex
CREATE INDEX "matches_creator_id_status_idx" ON "matches"("creator_id", "status");
