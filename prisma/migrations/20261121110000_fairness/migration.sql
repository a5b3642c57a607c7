-- A job whose account has its share of the lane is held back until one of the account's others has ended.
ALTER TABLE "jobs" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "jobs_held_idx" ON "jobs"("lane", "user_id", "id") WHERE "held";
-- Who waits, account by account, and what each has under way.
CREATE INDEX "jobs_line_idx" ON "jobs"("lane", "user_id", "id") WHERE "status" = 'queued' AND NOT "held";
CREATE INDEX "jobs_leased_idx" ON "jobs"("user_id", "lane") WHERE "lease_token" IS NOT NULL;
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_held_check" CHECK (NOT "held" OR ("status" IN ('queued', 'processing') AND "lease_token" IS NULL));

-- Whether anything still needs a summary or a transcript, before housekeeping deletes it.
CREATE INDEX "results_transcript_id_idx" ON "results"("transcript_id");
CREATE INDEX "summaries_transcript_id_idx" ON "summaries"("transcript_id");
CREATE INDEX "job_summaries_summary_id_idx" ON "job_summaries"("summary_id");
CREATE INDEX "videos_fetched_at_idx" ON "videos"("fetched_at");
