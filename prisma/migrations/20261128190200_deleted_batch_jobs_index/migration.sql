-- For the receipts of batches.
CREATE INDEX CONCURRENTLY "usage_entries_deleted_batch_idx" ON "usage_entries"("batch_id") WHERE (batch_id IS NOT NULL);
