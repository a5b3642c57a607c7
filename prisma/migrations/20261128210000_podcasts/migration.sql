-- Podcasts: how many episodes of a source have a transcript, and where an episode and its transcripts are.
ALTER TABLE "sources" ADD COLUMN "with_transcript" INTEGER;
ALTER TABLE "source_videos" ADD COLUMN "episode" JSONB;
