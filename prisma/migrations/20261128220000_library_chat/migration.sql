-- Conversations about many videos have a scope in place of a job. Processes of the previous release never look for them: they read
-- conversations by their job.
ALTER TABLE "chat_conversations" ALTER COLUMN "job_id" DROP NOT NULL, ADD COLUMN "scope" JSONB;
ALTER TABLE "chat_exchanges" ADD COLUMN "cited_jobs" UUID[];
