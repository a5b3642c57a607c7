-- A job that adds to a finished one. It names that job, and the first one of the family, which took a video of the quota.
ALTER TABLE "jobs" ADD COLUMN "derived_from" UUID,
  ADD COLUMN "root_id" UUID;
-- The jobs that were derived from a job, directly or not. Their number is limited.
CREATE INDEX "jobs_root_id_idx" ON "jobs"("root_id") WHERE "root_id" IS NOT NULL;
-- Unfinished derived jobs still need the result of their source. A purge looks for one of them before it deletes a job.
CREATE INDEX "jobs_pending_derived_from_idx" ON "jobs"("derived_from") WHERE "status" IN ('queued', 'processing') AND "derived_from" IS NOT NULL;
