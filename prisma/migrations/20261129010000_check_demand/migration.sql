-- Work of sources and subscriptions that is due and that no worker has claimed: lists, checks, and videos of subscriptions.
CREATE VIEW "check_demand" AS
SELECT coalesce(extract(epoch FROM now() - min("due_at")), 0)::float8 AS "oldest_due_seconds"
FROM (
  (SELECT "due_at" FROM "sources" WHERE "due_at" <= now() ORDER BY "due_at" LIMIT 1)
  UNION ALL
  (SELECT "due_at" FROM "source_watches" WHERE "due_at" <= now() ORDER BY "due_at" LIMIT 1)
  UNION ALL
  (SELECT "due_at" FROM "subscription_items" WHERE "due_at" <= now() ORDER BY "due_at" LIMIT 1)
) "due";
