-- Captions that an account has imported. Processes of the previous release write neither of these columns.
ALTER TABLE "jobs" ADD COLUMN "video_url" TEXT;
ALTER TABLE "jobs" ADD COLUMN "imported" JSONB;

ALTER TABLE "transcripts" ADD COLUMN "owner_id" UUID;

-- The secret of an account from which the IDs of its imports are derived.
CREATE TABLE "import_keys" (
  "user_id" UUID NOT NULL,
  "key" BYTEA NOT NULL,

  CONSTRAINT "import_keys_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "import_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
