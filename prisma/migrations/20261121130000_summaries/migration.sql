-- What checking a summary against its transcript has shown, and how it came about.
ALTER TABLE "summaries" ADD COLUMN "quality" JSONB;

-- What a job paid for that is in no summary: notes on the parts of a long video, refused and unusable answers.
CREATE TABLE "job_spendings" (
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "mode" TEXT,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL,
    "cache_write_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(12,6) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_spendings_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "job_spendings_job_id_idx" ON "job_spendings"("job_id");
