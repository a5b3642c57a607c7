-- The first schema. Reviewed by hand: what Prisma's schema language cannot say stands at the end.
-- Rows of the hot path (jobs and what hangs on them) carry no foreign keys: they are written only by the
-- transactions of packages/db, and a key check costs each of them a lock on its parent.


-- CreateEnum
CREATE TYPE "plan" AS ENUM ('free', 'plus', 'pro');

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('queued', 'processing', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "lane" AS ENUM ('high', 'normal');

-- CreateEnum
CREATE TYPE "batch_status" AS ENUM ('processing', 'completed', 'partial_failure', 'failed');

-- CreateEnum
CREATE TYPE "quota_period" AS ENUM ('day', 'month');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "plan" "plan" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "api_key_id" UUID,
    "batch_id" UUID,
    "batch_index" INTEGER,
    "status" "job_status" NOT NULL DEFAULT 'queued',
    "lane" "lane" NOT NULL,
    "priority" "lane" NOT NULL,
    "video_id" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "custom_instructions" TEXT,
    "use_proxy" BOOLEAN,
    "force_refresh" BOOLEAN NOT NULL DEFAULT false,
    "webhook_url" TEXT,
    "service_name" TEXT,
    "agent_name" TEXT,
    "client_reference" TEXT,
    "progress" SMALLINT NOT NULL DEFAULT 0,
    "step" TEXT NOT NULL DEFAULT 'queued',
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "lease_token" UUID,
    "wake_at" TIMESTAMPTZ(3) NOT NULL,
    "error" JSONB,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "quota_day" DATE,
    "quota_month" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "batches" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "status" "batch_status" NOT NULL DEFAULT 'processing',
    "total" SMALLINT NOT NULL,
    "pending" SMALLINT NOT NULL,
    "succeeded" SMALLINT NOT NULL DEFAULT 0,
    "failed" SMALLINT NOT NULL DEFAULT 0,
    "webhook_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "videos" (
    "id" TEXT NOT NULL,
    "info" JSONB NOT NULL,
    "tracks" JSONB NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "videos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transcripts" (
    "id" UUID NOT NULL,
    "video_id" TEXT NOT NULL,
    "track_key" TEXT NOT NULL,
    "track" JSONB NOT NULL,
    "cue_count" INTEGER NOT NULL,
    "text_bytes" INTEGER NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transcripts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transcript_parts" (
    "transcript_id" UUID NOT NULL,
    "part_no" SMALLINT NOT NULL,
    "cue_count" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "transcript_parts_pkey" PRIMARY KEY ("transcript_id","part_no")
);

-- CreateTable
CREATE TABLE "summaries" (
    "id" UUID NOT NULL,
    "cache_key" BYTEA NOT NULL,
    "transcript_id" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL,
    "cache_write_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(12,6) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "summaries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_summaries" (
    "job_id" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "summary_id" UUID NOT NULL,
    "reused" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_summaries_pkey" PRIMARY KEY ("job_id","mode")
);

-- CreateTable
CREATE TABLE "results" (
    "job_id" UUID NOT NULL,
    "transcript_id" UUID NOT NULL,
    "cue_count" INTEGER NOT NULL,
    "truncated" BOOLEAN NOT NULL,
    "selection_reason" TEXT NOT NULL,
    "video_info" JSONB NOT NULL,
    "cited_starts" JSONB NOT NULL,
    "usage" JSONB NOT NULL,
    "processing_ms" INTEGER NOT NULL,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "results_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "quota_usage" (
    "user_id" UUID NOT NULL,
    "period" "quota_period" NOT NULL,
    "starts_on" DATE NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quota_usage_pkey" PRIMARY KEY ("user_id","period","starts_on")
);

-- CreateTable
CREATE TABLE "quota_entries" (
    "job_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_entries_pkey" PRIMARY KEY ("job_id","kind")
);

-- CreateTable
CREATE TABLE "usage_entries" (
    "job_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "api_key_id" UUID,
    "outcome" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cached_input_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(12,6) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_entries_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" UUID NOT NULL,
    "attempt_no" SMALLINT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status_code" SMALLINT,
    "error" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","attempt_no")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "response" JSONB,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","key")
);

-- CreateTable
CREATE TABLE "leases" (
    "key" TEXT NOT NULL,
    "token" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_user_id_idx" ON "api_keys"("user_id");

-- CreateIndex
CREATE INDEX "jobs_user_id_id_idx" ON "jobs"("user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_user_id_status_id_idx" ON "jobs"("user_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "batches_user_id_id_idx" ON "batches"("user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "transcripts_video_id_track_key_fetched_at_idx" ON "transcripts"("video_id", "track_key", "fetched_at" DESC);

-- CreateIndex
CREATE INDEX "summaries_cache_key_created_at_idx" ON "summaries"("cache_key", "created_at" DESC);

-- CreateIndex
CREATE INDEX "quota_entries_user_id_created_at_idx" ON "quota_entries"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "usage_entries_user_id_created_at_idx" ON "usage_entries"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_secrets_user_id_created_at_idx" ON "webhook_secrets"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "webhook_events_user_id_id_idx" ON "webhook_events"("user_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_events_subject_id_type_key" ON "webhook_events"("subject_id", "type");

-- CreateIndex
CREATE INDEX "webhook_deliveries_user_id_id_idx" ON "webhook_deliveries"("user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transcript_parts" ADD CONSTRAINT "transcript_parts_transcript_id_fkey" FOREIGN KEY ("transcript_id") REFERENCES "transcripts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Work that is not done: what the sweeper reads. Only unfinished jobs are in it, however many there have been.
CREATE INDEX "jobs_wake_at_idx" ON "jobs"("wake_at") WHERE "status" IN ('queued', 'processing');
CREATE INDEX "jobs_batch_id_idx" ON "jobs"("batch_id", "batch_index") WHERE "batch_id" IS NOT NULL;
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("next_attempt_at") WHERE "status" = 'pending';
-- What the estimate of the remaining time learns from.
CREATE INDEX "results_completed_at_idx" ON "results"("completed_at" DESC);

ALTER TABLE "jobs"
  ADD CONSTRAINT "jobs_progress_check" CHECK ("progress" BETWEEN 0 AND 100),
  ADD CONSTRAINT "jobs_end_check" CHECK (("status" IN ('completed', 'failed')) = ("completed_at" IS NOT NULL));
ALTER TABLE "batches" ADD CONSTRAINT "batches_pending_check" CHECK ("pending" >= 0);
ALTER TABLE "quota_usage" ADD CONSTRAINT "quota_usage_used_check" CHECK ("used" >= 0);
ALTER TABLE "quota_entries" ADD CONSTRAINT "quota_entries_kind_check" CHECK ("kind" IN ('reserve', 'release'));

-- A job's row is rewritten a dozen times while it runs: room on the page keeps those updates off the indexes.
ALTER TABLE "jobs" SET (fillfactor = 70);
-- Compressed before they arrive.
ALTER TABLE "transcript_parts" ALTER COLUMN "body" SET STORAGE EXTERNAL;
