-- People who sign in. Operators have created the accounts so far, and nobody has confirmed their addresses.
ALTER TABLE "users" ALTER COLUMN "plan" SET DEFAULT 'free',
    ADD COLUMN "name" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

-- Accounts whose data is still being deleted.
CREATE INDEX "users_deleted_at_idx" ON "users"("deleted_at") WHERE deleted_at IS NOT NULL;

ALTER TABLE "api_keys" ADD COLUMN "name" TEXT;

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- Ways to sign in to an account: a password, or an account with an identity provider.
CREATE TABLE "identities" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "identities_provider_id_account_id_key" ON "identities"("provider_id", "account_id");
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- What a link or a redirect refers to, for a few minutes.
CREATE TABLE "verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");
CREATE INDEX "verifications_expires_at_idx" ON "verifications"("expires_at");

-- Sign-ups whose address has not been confirmed. They become accounts, with their password, when it is.
CREATE TABLE "sign_ups" (
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_ups_pkey" PRIMARY KEY ("token_hash")
);

CREATE INDEX "sign_ups_expires_at_idx" ON "sign_ups"("expires_at");

CREATE TABLE "invitations" (
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("email")
);

CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- Attempts to sign in, and other requests that must be rare, by a hash of what they are counted for.
CREATE TABLE "attempt_counts" (
    "key" BYTEA NOT NULL,
    "count" INTEGER NOT NULL,
    "resets_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_counts_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "attempt_counts_resets_at_idx" ON "attempt_counts"("resets_at");

-- E-mails to be sent, and for some weeks those that were.
CREATE TABLE "emails" (
    "id" UUID NOT NULL,
    "user_id" UUID,
    "recipient" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "sealed" BYTEA,
    "key_id" TEXT,
    "dedupe_key" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "lease_token" UUID,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "emails_dedupe_key_key" ON "emails"("dedupe_key");
CREATE INDEX "emails_user_id_idx" ON "emails"("user_id");
CREATE INDEX "emails_next_attempt_at_idx" ON "emails"("next_attempt_at") WHERE ended_at IS NULL;
CREATE INDEX "emails_ended_at_idx" ON "emails"("ended_at") WHERE ended_at IS NOT NULL;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "emails" ADD CONSTRAINT "emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
