-- Suspended accounts, and quotas of their own. Processes of the previous release do not read these columns.
ALTER TABLE "users"
  ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
  ADD COLUMN "suspended_for" TEXT,
  ADD COLUMN "quota_daily" INTEGER,
  ADD COLUMN "quota_monthly" INTEGER;

-- Sessions in which an operator sees an account end at that time.
ALTER TABLE "sessions" ADD COLUMN "support_until" TIMESTAMPTZ(3);

-- Links that an operator creates, and that of the first owner, which belongs to no account.
CREATE TABLE "sign_in_links" (
  "token_hash" BYTEA NOT NULL,
  "kind" TEXT NOT NULL,
  "user_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),

  CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("token_hash")
);

CREATE INDEX "sign_in_links_user_id_idx" ON "sign_in_links"("user_id");
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links"("expires_at");

ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What operators did. It refers to accounts by their IDs only, and outlives them.
CREATE TABLE "operator_actions" (
  "id" UUID NOT NULL,
  "action" TEXT NOT NULL,
  "operator_id" UUID,
  "command_by" TEXT,
  "account_id" UUID,
  "details" JSONB NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "operator_actions_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "operator_actions_account_id_id_idx" ON "operator_actions"("account_id", "id");
