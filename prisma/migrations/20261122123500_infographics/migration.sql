-- What the infographics of jobs show. The pictures are drawn from it and kept in the blob store.
CREATE TABLE "infographics" (
    "job_id" UUID NOT NULL,
    "cache_key" BYTEA NOT NULL,
    "content" JSONB NOT NULL,
    "alt_text" TEXT NOT NULL,
    "link_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "drawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "infographics_pkey" PRIMARY KEY ("job_id")
);

CREATE INDEX "infographics_cache_key_idx" ON "infographics"("cache_key");

ALTER TABLE "infographics" ADD CONSTRAINT "infographics_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
