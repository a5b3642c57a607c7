-- What was taken from a track to get what was said; unknown for transcripts from before.
ALTER TABLE "transcripts" ADD COLUMN "cleaning" JSONB;
-- Top comments of the video, of jobs that asked for them and got them.
ALTER TABLE "results" ADD COLUMN "comments" JSONB;
