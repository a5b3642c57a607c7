-- Lists the conversations of an account about many videos.
CREATE INDEX CONCURRENTLY "chat_conversations_library_idx" ON "chat_conversations"("user_id", "id") WHERE (job_id IS NULL);
