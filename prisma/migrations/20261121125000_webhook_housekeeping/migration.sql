-- What nobody has used for a month is looked for every minute.
CREATE INDEX "webhook_receivers_updated_at_idx" ON "webhook_receivers"("updated_at");
CREATE INDEX "webhook_endpoints_updated_at_idx" ON "webhook_endpoints"("updated_at");
