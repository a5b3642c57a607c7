-- What jobs add to the usage of their account, until it is folded into the sums. Jobs of one account no longer wait for each
-- other at the end to change the same two rows. The previous release does not know this table and adds to the sums itself.
CREATE TABLE "usage_additions" (
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "videos" SMALLINT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cached_input_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(12,6) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_additions_pkey" PRIMARY KEY ("user_id", "id")
);
