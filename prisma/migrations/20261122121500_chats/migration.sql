-- Conversations about jobs. They are deleted together with their job.
CREATE TABLE "chat_conversations" (
  "id" UUID NOT NULL,
  "job_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "title" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "chat_conversations_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "chat_conversations_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "chat_conversations_job_id_id_idx" ON "chat_conversations"("job_id", "id");

-- A question and its answer.
CREATE TABLE "chat_exchanges" (
  "id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "api_key_id" UUID,
  "position" SMALLINT NOT NULL,
  "replaces" UUID,
  "question" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending',
  "answer" JSONB,
  "input_tokens" INTEGER NOT NULL DEFAULT 0,
  "output_tokens" INTEGER NOT NULL DEFAULT 0,
  "cached_tokens" INTEGER NOT NULL DEFAULT 0,
  "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
  "cost_usd" DECIMAL(12,6) NOT NULL DEFAULT 0,
  "quota_day" DATE,
  "lease_token" UUID,
  "lease_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "completed_at" TIMESTAMPTZ(3),

  CONSTRAINT "chat_exchanges_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "chat_exchanges_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "chat_conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "chat_exchanges_status_check" CHECK (("status" = 'pending') = ("lease_token" IS NOT NULL)
    AND ("status" = 'pending') = ("lease_until" IS NOT NULL) AND ("status" = 'pending') = ("completed_at" IS NULL)
    AND ("status" <> 'complete' OR "answer" IS NOT NULL))
);
CREATE INDEX "chat_exchanges_conversation_id_position_idx" ON "chat_exchanges"("conversation_id", "position");
-- One answer at a time in a conversation.
CREATE UNIQUE INDEX "chat_exchanges_pending_key" ON "chat_exchanges"("conversation_id") WHERE (status = 'pending');
-- What the sweep reads.
CREATE INDEX "chat_exchanges_lease_until_idx" ON "chat_exchanges"("lease_until") WHERE (status = 'pending');

-- Questions of a day are counted beside the videos of days and months.
ALTER TYPE "quota_period" ADD VALUE 'chat_day';
