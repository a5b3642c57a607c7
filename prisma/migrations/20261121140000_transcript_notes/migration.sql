-- Notes on the parts of a long transcript, kept as they arrive: summaries that are written later rest on the same ones.
CREATE TABLE "transcript_notes" (
    "transcript_id" UUID NOT NULL,
    "key" BYTEA NOT NULL,
    "notes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transcript_notes_pkey" PRIMARY KEY ("transcript_id","key")
);
ALTER TABLE "transcript_notes" ADD CONSTRAINT "transcript_notes_transcript_id_fkey" FOREIGN KEY ("transcript_id") REFERENCES "transcripts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
