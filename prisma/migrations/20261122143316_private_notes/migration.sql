-- Notes belong to the account that paid for them: another one must not be able to tell that they exist.
-- Older notes belong to nobody and are taken again.
ALTER TABLE "transcript_notes" ADD COLUMN "user_id" UUID;
CREATE INDEX "transcript_notes_user_id_idx" ON "transcript_notes"("user_id");
