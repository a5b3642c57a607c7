-- Lists of videos, shared by all accounts that ask for them.
CREATE TABLE "sources" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "same_as" UUID,
    "title" TEXT,
    "listed_at" TIMESTAMPTZ(3),
    "videos_total" INTEGER NOT NULL DEFAULT 0,
    "truncated" BOOLEAN NOT NULL DEFAULT false,
    "error" JSONB,
    "requested_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_token" UUID,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "sources_kind_platform_id_key" ON "sources"("kind", "platform_id");
CREATE INDEX "sources_due_at_idx" ON "sources"("due_at") WHERE ("due_at" IS NOT NULL);
CREATE INDEX "sources_same_as_idx" ON "sources"("same_as") WHERE ("same_as" IS NOT NULL);
CREATE INDEX "sources_used_at_idx" ON "sources"("used_at");

ALTER TABLE "sources" ADD CONSTRAINT "sources_same_as_fkey" FOREIGN KEY ("same_as") REFERENCES "sources"("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "source_videos" (
    "source_id" UUID NOT NULL,
    "video_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "duration_seconds" INTEGER,
    "published_at" TIMESTAMPTZ(3),
    "is_approximate" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "source_videos_pkey" PRIMARY KEY ("source_id", "video_id")
);

CREATE INDEX "source_videos_source_id_position_idx" ON "source_videos"("source_id", "position") WHERE ("gone_at" IS NULL);

CREATE INDEX "source_videos_gone_at_idx" ON "source_videos"("gone_at") WHERE ("gone_at" IS NOT NULL);

ALTER TABLE "source_videos" ADD CONSTRAINT "source_videos_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Which sources an account has asked for. The ID is the one that it knows.
CREATE TABLE "account_sources" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_sources_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "account_sources_user_id_source_id_key" ON "account_sources"("user_id", "source_id");
CREATE INDEX "account_sources_user_id_id_idx" ON "account_sources"("user_id", "id");
CREATE INDEX "account_sources_source_id_idx" ON "account_sources"("source_id");

ALTER TABLE "account_sources" ADD CONSTRAINT "account_sources_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "account_sources" ADD CONSTRAINT "account_sources_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Listings that accounts have caused, by hour.
CREATE TABLE "source_listings" (
    "user_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "source_listings_pkey" PRIMARY KEY ("user_id", "starts_at")
);

CREATE INDEX "source_listings_starts_at_idx" ON "source_listings"("starts_at");
