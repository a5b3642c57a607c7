-- Deliveries that are still to be made, by event: before a purge deletes a job, it looks for one of them.
CREATE INDEX "webhook_deliveries_pending_event_id_idx" ON "webhook_deliveries"("event_id") WHERE "status" = 'pending';
-- Expired leases and pauses, however many jobs are waiting.
CREATE INDEX "jobs_processing_wake_at_idx" ON "jobs"("wake_at") WHERE "status" = 'processing';
-- Counters of periods that are long over.
CREATE INDEX "quota_usage_starts_on_idx" ON "quota_usage"("starts_on");
