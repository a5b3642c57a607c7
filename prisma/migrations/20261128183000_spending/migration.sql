-- AlterTable
ALTER TABLE "users" ADD COLUMN     "monthly_limit_usd" DECIMAL(14,6);

-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "max_cost_usd" DECIMAL(14,6);

-- CreateTable
CREATE TABLE "spending_counters" (
    "scope" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "starts_on" DATE NOT NULL,
    "user_id" UUID,
    "used_usd" DECIMAL(14,6) NOT NULL DEFAULT 0,
    "reserved_usd" DECIMAL(14,6) NOT NULL DEFAULT 0,

    CONSTRAINT "spending_counters_pkey" PRIMARY KEY ("scope","id","starts_on")
);

-- CreateTable
CREATE TABLE "spending_reservations" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "scopes" TEXT[],
    "scope_ids" UUID[],
    "scope_starts" DATE[],
    "amount_usd" DECIMAL(14,6) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spending_reservations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "spending_counters_user_id_idx" ON "spending_counters"("user_id");

-- CreateIndex
CREATE INDEX "spending_counters_starts_on_idx" ON "spending_counters"("starts_on");

-- CreateIndex
CREATE INDEX "spending_reservations_user_id_idx" ON "spending_reservations"("user_id");

-- CreateIndex
CREATE INDEX "spending_reservations_created_at_idx" ON "spending_reservations"("created_at");

-- What was spent in the current month and day, before there were counters.
INSERT INTO "spending_counters" ("scope", "id", "starts_on", "user_id", "used_usd")
SELECT 'month', "user_id", date_trunc('month', now() AT TIME ZONE 'UTC')::date, "user_id", sum("cost_usd") FROM (
    SELECT "user_id", "cost_usd" FROM "usage_rollups" WHERE "span" = 'day' AND "starts_at" >= date_trunc('month', now(), 'UTC')
    UNION ALL
    SELECT "user_id", "cost_usd" FROM "usage_additions" WHERE "created_at" >= date_trunc('month', now(), 'UTC')
) spent GROUP BY "user_id" HAVING sum("cost_usd") > 0
UNION ALL
SELECT 'day', '00000000-0000-0000-0000-000000000000', (now() AT TIME ZONE 'UTC')::date, NULL, sum("cost_usd") FROM (
    SELECT "cost_usd" FROM "usage_rollups" WHERE "span" = 'day' AND "starts_at" >= date_trunc('day', now(), 'UTC')
    UNION ALL
    SELECT "cost_usd" FROM "usage_additions" WHERE "created_at" >= date_trunc('day', now(), 'UTC')
) spent HAVING sum("cost_usd") > 0;
