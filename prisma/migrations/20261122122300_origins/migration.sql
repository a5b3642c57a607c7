-- The request and the span that caused a job or an event, so that the logs and traces of a request lead to its deliveries.
-- Without a default, the columns cost nothing on large tables.
ALTER TABLE "jobs" ADD COLUMN "traceparent" TEXT, ADD COLUMN "request_id" TEXT;
ALTER TABLE "webhook_events" ADD COLUMN "traceparent" TEXT, ADD COLUMN "request_id" TEXT;
