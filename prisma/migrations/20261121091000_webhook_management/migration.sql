-- Secrets written before they were encrypted stay readable until the webhook app, which has the key, seals them.
ALTER TABLE "webhook_secrets" ALTER COLUMN "secret" DROP NOT NULL,
  ADD COLUMN "prefix" TEXT,
  ADD COLUMN "sealed" BYTEA,
  ADD COLUMN "key_id" TEXT;
UPDATE "webhook_secrets" SET "prefix" = left("secret", 10);
ALTER TABLE "webhook_secrets" ALTER COLUMN "prefix" SET NOT NULL,
  ADD CONSTRAINT "webhook_secrets_sealed_check" CHECK (("secret" IS NULL) = ("sealed" IS NOT NULL) AND ("sealed" IS NULL) = ("key_id" IS NULL));
CREATE INDEX "webhook_secrets_key_id_idx" ON "webhook_secrets"("key_id", "id");

ALTER TABLE "webhook_deliveries" ADD COLUMN "schedule_base" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "redelivered_at" TIMESTAMPTZ(3);

-- Lists are bounded by (user, id) and (user, status, id) as rows, which want every column in one direction.
DROP INDEX "webhook_deliveries_user_id_id_idx";
CREATE INDEX "webhook_deliveries_user_id_id_idx" ON "webhook_deliveries"("user_id", "id");
CREATE INDEX "webhook_deliveries_user_id_status_id_idx" ON "webhook_deliveries"("user_id", "status", "id");
