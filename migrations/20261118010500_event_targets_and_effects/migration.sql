-- AlterTable
ALTER TABLE "events" ADD COLUMN     "effects" JSON,
ADD COLUMN     "targets" JSON;
