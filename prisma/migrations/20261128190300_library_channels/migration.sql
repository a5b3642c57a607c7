-- For the list of jobs, which is filtered by channel.
ALTER TABLE "library_entries" ADD COLUMN "channel_name" TEXT NOT NULL DEFAULT '';
UPDATE "library_entries" e SET "channel_name" = coalesce(r.video_info#>>'{channel,name}', '')
  FROM "results" r WHERE r.job_id = e.job_id;
