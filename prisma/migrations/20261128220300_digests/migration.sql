CREATE TABLE "digests" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "api_key_id" UUID,
    "batch_id" UUID NOT NULL,
    "instructions" TEXT,
    "output_language" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "error" JSONB,
    "groups" JSONB,
    "content" JSONB,
    "cited_jobs" UUID[],
    "lease_token" UUID,
    "due_at" TIMESTAMPTZ(3),
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "digests_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "digests_batch_id_id_idx" ON "digests"("batch_id", "id");
CREATE INDEX "digests_user_id_id_idx" ON "digests"("user_id", "id");
CREATE INDEX "digests_due_idx" ON "digests"("due_at") WHERE (due_at IS NOT NULL);
CREATE INDEX "digests_cited_idx" ON "digests" USING gin ("cited_jobs");
ALTER TABLE "digests" ADD CONSTRAINT "digests_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;
