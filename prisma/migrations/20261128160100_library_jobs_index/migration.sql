-- For the newest job of a video that is left when another one is deleted.
CREATE INDEX CONCURRENTLY "jobs_user_id_video_id_idx" ON "jobs"("user_id", "video_id", "id") WHERE (status = 'completed');
