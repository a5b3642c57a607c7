-- Usage is recorded for answers in chats as well. An entry belongs to a job, and is about the job itself (the nil UUID) or about
-- one message. Constant defaults rewrite no row, and what an older process writes is about the job.
ALTER TABLE "usage_entries" ADD COLUMN "subject_kind" TEXT NOT NULL DEFAULT 'job',
  ADD COLUMN "subject_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN "conversation_id" UUID,
  ADD COLUMN "model" TEXT,
  DROP CONSTRAINT "usage_entries_pkey",
  ADD CONSTRAINT "usage_entries_pkey" PRIMARY KEY ("job_id", "subject_kind", "subject_id");

-- Receipts are listed by key. Nothing has read the entries of an account by time alone.
DROP INDEX "usage_entries_user_id_created_at_idx";
CREATE INDEX "usage_entries_user_id_api_key_id_created_at_idx" ON "usage_entries"("user_id", "api_key_id", "created_at");
