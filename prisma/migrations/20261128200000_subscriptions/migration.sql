-- When digests are sent. An IANA name.
ALTER TABLE "users" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC';

-- What accounts want to have done with the new videos of their sources.
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_source_id" UUID NOT NULL,
    "api_key_id" UUID,
    "action" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "priority" "lane" NOT NULL,
    "filter" JSONB,
    "match" JSONB,
    "catch_up" INTEGER NOT NULL DEFAULT 0,
    "max_per_day" INTEGER,
    "webhook_url" TEXT,
    "webhook_format" TEXT NOT NULL DEFAULT 'event',
    "email" TEXT,
    "stop_key" BYTEA NOT NULL,
    "paused_for" TEXT,
    "held_for" TEXT,
    "seeded_at" TIMESTAMPTZ(3),
    "digested_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "subscriptions_user_id_id_idx" ON "subscriptions"("user_id", "id");
CREATE INDEX "subscriptions_account_source_id_idx" ON "subscriptions"("account_source_id");
-- Those that get digests.
CREATE INDEX "subscriptions_digested_at_idx" ON "subscriptions"("digested_at") WHERE (email IS NOT NULL);

ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_source_id_fkey" FOREIGN KEY ("account_source_id") REFERENCES "account_sources"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every video that a subscription has seen, and what became of it. The key makes it one item, whatever dies.
CREATE TABLE "subscription_items" (
    "subscription_id" UUID NOT NULL,
    "video_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "job_id" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "matches" JSONB,
    "due_at" TIMESTAMPTZ(3),
    "lease_token" UUID,
    "taken_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_items_pkey" PRIMARY KEY ("subscription_id", "video_id")
);

CREATE UNIQUE INDEX "subscription_items_subscription_id_id_key" ON "subscription_items"("subscription_id", "id");
-- Claims.
CREATE INDEX "subscription_items_due_at_idx" ON "subscription_items"("due_at") WHERE (due_at IS NOT NULL);
-- Those whose job is under way.
CREATE INDEX "subscription_items_job_id_idx" ON "subscription_items"("job_id") WHERE (state = 'waiting' AND due_at IS NULL);
-- Those that digests tell of.
CREATE INDEX "subscription_items_subscription_id_ended_at_idx" ON "subscription_items"("subscription_id", "ended_at") WHERE (ended_at IS NOT NULL);
-- Those that count toward a day.
CREATE INDEX "subscription_items_subscription_id_taken_at_idx" ON "subscription_items"("subscription_id", "taken_at") WHERE (taken_at IS NOT NULL);

ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When each source is looked at next, for all of its subscriptions.
CREATE TABLE "source_watches" (
    "source_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "forced" BOOLEAN NOT NULL DEFAULT true,
    "listing_since" TIMESTAMPTZ(3),
    "listing_for" TEXT,

    CONSTRAINT "source_watches_pkey" PRIMARY KEY ("source_id")
);

CREATE INDEX "source_watches_due_at_idx" ON "source_watches"("due_at");

ALTER TABLE "source_watches" ADD CONSTRAINT "source_watches_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When sources were looked at, how, and what was found.
CREATE TABLE "source_checks" (
    "id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "because" TEXT,
    "videos_seen" INTEGER,
    "new_videos" INTEGER,
    "error" JSONB,

    CONSTRAINT "source_checks_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "source_checks_source_id_id_idx" ON "source_checks"("source_id", "id");
CREATE INDEX "source_checks_checked_at_idx" ON "source_checks"("checked_at");

ALTER TABLE "source_checks" ADD CONSTRAINT "source_checks_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
