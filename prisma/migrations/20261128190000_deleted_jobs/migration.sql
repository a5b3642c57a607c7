-- Receipts outlive the jobs that their owner deletes, as sums.
ALTER TABLE "usage_entries" ADD COLUMN "job_deleted_at" TIMESTAMPTZ(3), ADD COLUMN "batch_id" UUID;
