-- For the account's own latest job of a video, whatever has become of it.
CREATE INDEX CONCURRENTLY "jobs_user_id_video_id_all_idx" ON "jobs"("user_id", "video_id", "id");
