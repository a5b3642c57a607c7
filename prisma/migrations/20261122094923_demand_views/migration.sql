-- What an autoscaler asks: how much work there is, and for how long it has waited. Every part follows a partial index and is
-- limited, so that the answers cost little however long the queues are. A role that may read nothing else learns nothing
-- about accounts.

-- By lane. Jobs that pause before another try are in neither number.
CREATE VIEW "lane_demand" AS
SELECT
  "lanes"."lane",
  "queued"."count" + "held"."count" + "interrupted"."count" AS "waiting",
  "started"."count" AS "running",
  coalesce(extract(epoch FROM now() - "oldest"."created_at"), 0)::double precision AS "oldest_waiting_seconds"
FROM unnest(enum_range(NULL::"lane")) AS "lanes" ("lane")
CROSS JOIN LATERAL (
  SELECT count(*) FROM (
    SELECT FROM "jobs" WHERE "lane" = "lanes"."lane" AND "status" = 'queued' AND NOT "held" LIMIT 10000
  ) "rows"
) "queued"
CROSS JOIN LATERAL (
  SELECT count(*) FROM (SELECT FROM "jobs" WHERE "lane" = "lanes"."lane" AND "held" LIMIT 10000) "rows"
) "held"
-- Handed back, paused until now, or left behind by a worker that died.
CROSS JOIN LATERAL (
  SELECT count(*) FROM (
    SELECT FROM "jobs"
    WHERE "lane" = "lanes"."lane" AND "status" = 'processing' AND NOT "held" AND "wake_at" <= now() LIMIT 10000
  ) "rows"
) "interrupted"
CROSS JOIN LATERAL (
  SELECT count(*) FROM "jobs" WHERE "lane" = "lanes"."lane" AND "lease_token" IS NOT NULL AND "wake_at" > now()
) "started"
-- Steps from account to account, however many waiting jobs each of them has. Held jobs wait for others of their account.
CROSS JOIN LATERAL (
  WITH RECURSIVE "line" AS (
    (SELECT "user_id", "created_at", 1 AS "place" FROM "jobs"
     WHERE "lane" = "lanes"."lane" AND "status" = 'queued' AND NOT "held" ORDER BY "user_id", "id" LIMIT 1)
    UNION ALL
    SELECT "next"."user_id", "next"."created_at", "line"."place" + 1 FROM "line" CROSS JOIN LATERAL (
      SELECT "user_id", "created_at" FROM "jobs"
      WHERE "lane" = "lanes"."lane" AND "status" = 'queued' AND NOT "held" AND "user_id" > "line"."user_id"
      ORDER BY "user_id", "id" LIMIT 1
    ) "next"
    WHERE "line"."place" < 1000
  )
  SELECT min("created_at") AS "created_at" FROM "line"
) "oldest";

-- Deliveries that are due and that a further process could make. A receiver with an attempt under way is served already: it
-- gets only so many at once from all processes together, and one that is slow would otherwise ask for more of them.
CREATE VIEW "delivery_demand" AS
WITH RECURSIVE "receivers" AS (
  (SELECT "receiver_key", "next_attempt_at", 1 AS "place" FROM "webhook_deliveries"
   WHERE "ready" ORDER BY "receiver_key", "next_attempt_at" LIMIT 1)
  UNION ALL
  SELECT "next"."receiver_key", "next"."next_attempt_at", "receivers"."place" + 1
  FROM "receivers" CROSS JOIN LATERAL (
    SELECT "receiver_key", "next_attempt_at" FROM "webhook_deliveries"
    WHERE "ready" AND "receiver_key" > "receivers"."receiver_key" ORDER BY "receiver_key", "next_attempt_at" LIMIT 1
  ) "next"
  WHERE "receivers"."place" < 1000
), "due" AS (
  SELECT "next_attempt_at" FROM "receivers"
  WHERE "next_attempt_at" <= now() AND NOT EXISTS (
    SELECT FROM "webhook_deliveries" "other"
    WHERE "other"."receiver_key" = "receivers"."receiver_key" AND "other"."lease_token" IS NOT NULL
      AND "other"."next_attempt_at" > now()
  )
  UNION ALL
  -- Not in the line of its receiver yet: no process has looked since it became due.
  (SELECT "next_attempt_at" FROM "webhook_deliveries"
   WHERE "status" = 'pending' AND NOT "ready" AND "next_attempt_at" <= now() ORDER BY "next_attempt_at" LIMIT 1)
)
SELECT
  count(*) AS "waiting_receivers",
  coalesce(extract(epoch FROM now() - min("next_attempt_at")), 0)::double precision AS "oldest_due_seconds"
FROM "due";
