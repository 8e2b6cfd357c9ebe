-- CreateEnum
CREATE TYPE "Scope" AS ENUM ('READ', 'PLAY', 'CREATE', 'NOTICES', 'ACCOUNT');

-- CreateEnum
CREATE TYPE "AddressFamily" AS ENUM ('IPV4', 'IPV6');

-- AlterTable
ALTER TABLE "tokens" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_from" "AddressFamily",
ADD COLUMN     "scopes" "Scope"[] DEFAULT ARRAY['READ', 'PLAY', 'CREATE', 'NOTICES', 'ACCOUNT']::"Scope"[];
