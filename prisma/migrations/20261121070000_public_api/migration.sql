-- CreateEnum
CREATE TYPE "rollup_span" AS ENUM ('hour', 'day');

-- AlterTable
ALTER TABLE "users" ADD COLUMN "jobs_accepted" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "jobs_failed" INTEGER NOT NULL DEFAULT 0;
UPDATE "users" SET
  "jobs_accepted" = (SELECT count(*) FROM "jobs" WHERE "user_id" = "users"."id"),
  "jobs_failed" = (SELECT count(*) FROM "jobs" WHERE "user_id" = "users"."id" AND "status" = 'failed');
-- Counted up with every job: room on the page keeps those updates off the indexes.
ALTER TABLE "users" SET (fillfactor = 70);

-- AlterTable: no row has been written to this table yet.
ALTER TABLE "idempotency_keys" ADD COLUMN "resource_id" UUID NOT NULL;

-- CreateTable
CREATE TABLE "usage_rollups" (
    "user_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "span" "rollup_span" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "succeeded" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,
    "videos" BIGINT NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cached_input_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(16,6) NOT NULL DEFAULT 0,

    CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("user_id","span","api_key_id","starts_at")
);
ALTER TABLE "usage_rollups" SET (fillfactor = 70);

-- Lists are bounded by (user, id) and (user, status, id) as rows, which want every column in one direction.
DROP INDEX "jobs_user_id_id_idx";
CREATE INDEX "jobs_user_id_id_idx" ON "jobs"("user_id", "id");
DROP INDEX "jobs_user_id_status_id_idx";
CREATE INDEX "jobs_user_id_status_id_idx" ON "jobs"("user_id", "status", "id");
