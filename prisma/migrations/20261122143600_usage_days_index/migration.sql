-- The sums of recent days over all accounts. A row is added once a day for each key that is used.
CREATE INDEX CONCURRENTLY "usage_rollups_days_idx" ON "usage_rollups"("starts_at") WHERE "span" = 'day';
