-- Requests of a key by endpoint and UTC day, beside their sums in usage_rollups.
CREATE TABLE "endpoint_counts" (
  "user_id" UUID NOT NULL,
  "api_key_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "endpoint" TEXT NOT NULL,
  "succeeded" BIGINT NOT NULL DEFAULT 0,
  "failed" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "endpoint_counts_pkey" PRIMARY KEY ("user_id", "api_key_id", "day", "endpoint")
);
