-- Where an episode of a podcast can be heard. Null for videos of the platform.
ALTER TABLE "subscription_items" ADD COLUMN "video_url" TEXT;
