-- Lists of jobs show the titles of their videos.
ALTER TABLE "jobs" ADD COLUMN "video_title" TEXT;

-- Which large thumbnails exist, as the image host has said.
CREATE TABLE "thumbnails" (
    "video_id" TEXT NOT NULL,
    "standard" BOOLEAN NOT NULL,
    "maxres" BOOLEAN NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "thumbnails_pkey" PRIMARY KEY ("video_id")
);

CREATE INDEX "thumbnails_checked_at_idx" ON "thumbnails"("checked_at");
