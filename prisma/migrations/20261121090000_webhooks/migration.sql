-- Used by nothing in this file: a new value may not be used in the transaction that adds it.
ALTER TYPE "delivery_status" ADD VALUE 'skipped';

-- Whom a delivery goes to: the receiver is its account, scheme, host and port; the endpoint has the path as well.
ALTER TABLE "webhook_deliveries" ADD COLUMN "receiver_key" UUID,
  ADD COLUMN "endpoint_key" UUID,
  ADD COLUMN "ready" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "forced" BOOLEAN NOT NULL DEFAULT false;
UPDATE "webhook_deliveries" SET
  "receiver_key" = md5("user_id" || ' ' || lower(substring("url" from '^[^:]*://[^/?#]*')))::uuid,
  "endpoint_key" = md5("user_id" || ' ' || substring("url" from '^[^?#]*'))::uuid;
ALTER TABLE "webhook_deliveries" ALTER COLUMN "receiver_key" SET NOT NULL,
  ALTER COLUMN "endpoint_key" SET NOT NULL,
  ADD CONSTRAINT "webhook_deliveries_ready_check" CHECK (NOT "ready" OR ("status" = 'pending' AND "lease_token" IS NULL));

-- What is due is looked through receiver by receiver, so that a long line before one hides nobody behind it.
CREATE INDEX "webhook_deliveries_ready_idx" ON "webhook_deliveries"("receiver_key", "next_attempt_at") WHERE "ready";
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries"("receiver_key", "next_attempt_at") WHERE "lease_token" IS NOT NULL;
-- What becomes due by itself: later attempts, and the leases of deliverers that died.
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries"("next_attempt_at") WHERE "status" = 'pending' AND NOT "ready";
DROP INDEX "webhook_deliveries_due_idx";

-- CreateTable
CREATE TABLE "webhook_receivers" (
    "key" UUID NOT NULL,
    "quick" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_receivers_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "key" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "failing_since" TIMESTAMPTZ(3) NOT NULL,
    "failed_events" INTEGER NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_user_id_idx" ON "webhook_endpoints"("user_id");
