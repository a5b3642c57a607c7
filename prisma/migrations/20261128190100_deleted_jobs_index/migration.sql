-- For the purge.
CREATE INDEX CONCURRENTLY "usage_entries_deleted_idx" ON "usage_entries"("job_deleted_at") WHERE (job_deleted_at IS NOT NULL);
