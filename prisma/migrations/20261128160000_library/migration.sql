-- For an index on accounts and words together. A trusted extension: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- What accounts search: the newest completed job of each of their videos.
CREATE TABLE "library_entries" (
  "user_id" UUID NOT NULL,
  "video_id" TEXT NOT NULL,
  "job_id" UUID NOT NULL,
  "transcript_id" UUID NOT NULL,
  "cue_count" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "channel_id" TEXT NOT NULL,
  -- For the list of jobs, which is filtered by channel.
  "channel_name" TEXT NOT NULL DEFAULT '',
  "language" TEXT NOT NULL,
  "published_at" TIMESTAMPTZ(3),
  "completed_at" TIMESTAMPTZ(3) NOT NULL,
  "tsv" tsvector,
  "is_partial" BOOLEAN NOT NULL DEFAULT false,

  CONSTRAINT "library_entries_pkey" PRIMARY KEY ("user_id", "video_id"),
  CONSTRAINT "library_entries_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "library_entries_tsv_check" CHECK ("tsv" IS NOT NULL OR "is_partial")
);
CREATE UNIQUE INDEX "library_entries_job_id_key" ON "library_entries"("job_id");
CREATE INDEX "library_entries_user_id_tsv_idx" ON "library_entries" USING gin ("user_id", "tsv");
CREATE INDEX "library_entries_user_id_language_idx" ON "library_entries"("user_id", "language");
-- Candidates of every search.
CREATE INDEX "library_entries_partial_idx" ON "library_entries"("user_id", "job_id") WHERE (is_partial);
-- What the workers have yet to index.
CREATE INDEX "library_entries_pending_idx" ON "library_entries"("job_id") WHERE (tsv IS NULL);

-- How far the workers have come with the jobs from before there was a library. One row.
CREATE TABLE "library_backfill" (
  "id" SMALLINT NOT NULL DEFAULT 1,
  "position" UUID NOT NULL,
  "round" SMALLINT NOT NULL DEFAULT 1,
  "round_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "library_backfill_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "library_backfill_id_check" CHECK ("id" = 1)
);
