-- Requests to the video platform for a job. Null for jobs that ran before they were counted.
ALTER TABLE "jobs" ADD COLUMN "platform_requests" INTEGER;
