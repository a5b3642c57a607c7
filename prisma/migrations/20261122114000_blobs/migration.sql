-- Files of jobs in the blob store. The row of a file exists before the file does and is deleted after it.
CREATE TABLE "blobs" (
    "key" TEXT NOT NULL,
    "job_id" UUID,
    "content_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "stored_at" TIMESTAMPTZ(3),

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "blobs_job_id_idx" ON "blobs"("job_id") WHERE job_id IS NOT NULL;
CREATE INDEX "blobs_orphaned_idx" ON "blobs"("created_at") WHERE job_id IS NULL;

-- Whatever deletes a job leaves its files to be deleted next.
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
