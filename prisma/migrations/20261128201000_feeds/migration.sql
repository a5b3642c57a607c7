-- Public addresses at which feed readers find what an account has processed. Only a hash of the token is stored.
CREATE TABLE "feeds" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "name" TEXT,
    "subscription_id" UUID,
    "account_source_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "feeds_token_hash_key" ON "feeds"("token_hash");
CREATE INDEX "feeds_user_id_id_idx" ON "feeds"("user_id", "id");
CREATE INDEX "feeds_subscription_id_idx" ON "feeds"("subscription_id") WHERE (subscription_id IS NOT NULL);
CREATE INDEX "feeds_account_source_id_idx" ON "feeds"("account_source_id") WHERE (account_source_id IS NOT NULL);

ALTER TABLE "feeds" ADD CONSTRAINT "feeds_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_account_source_id_fkey" FOREIGN KEY ("account_source_id") REFERENCES "account_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;
