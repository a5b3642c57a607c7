-- For the imports that nothing uses any more, and for those of an account that is deleted.
CREATE INDEX CONCURRENTLY "transcripts_owner_id_idx" ON "transcripts"("owner_id") WHERE (owner_id IS NOT NULL);
