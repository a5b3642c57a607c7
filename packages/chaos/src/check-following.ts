import type { Db } from '@subtext/db'

/** Items of published videos that have not ended, and published videos without an item, of every subscription. */
const UNFINISHED = `SELECT count(*)::int AS items FROM subscriptions s CROSS JOIN unnest($1::text[]) AS published(video_id)
    LEFT JOIN subscription_items i ON i.subscription_id = s.id AND i.video_id = published.video_id
  WHERE i.ended_at IS NULL`

/** Returns for how many published videos a subscription is not finished yet. */
export async function countUnfinishedItems(db: Db, published: readonly string[]): Promise<number> {
  return (await db.query<{ items: number }>(UNFINISHED, [published])).rows[0]?.items ?? 0
}

const CHECKS = {
  'a published video was not handled': `
    SELECT s.action, published.video_id, i.state, i.reason
    FROM subscriptions s CROSS JOIN unnest($1::text[]) AS published(video_id)
      LEFT JOIN subscription_items i ON i.subscription_id = s.id AND i.video_id = published.video_id
    WHERE i.state IS DISTINCT FROM CASE s.action WHEN 'process' THEN 'processed' ELSE 'notified' END`,
  'an item says more or less than its job': `
    SELECT i.video_id, i.state, j.status FROM subscription_items i LEFT JOIN jobs j ON j.id = i.job_id
    WHERE (i.state = 'processed') <> (j.status IS NOT DISTINCT FROM 'completed')`,
  'a published video was processed twice': `
    SELECT j.video_id, count(*) AS jobs FROM jobs j JOIN subscriptions s ON s.user_id = j.user_id
    WHERE j.status = 'completed' GROUP BY j.user_id, j.video_id HAVING count(*) > 1`,
  'an item was not told exactly once, or without having ended': `
    SELECT i.video_id, i.state, i.reason, count(e.id) AS events
    FROM subscription_items i LEFT JOIN webhook_events e ON e.subject_id = i.id AND e.type = 'subscription.video'
    GROUP BY i.subscription_id, i.video_id HAVING count(e.id) <> (CASE WHEN i.ended_at IS NULL THEN 0 ELSE 1 END)`,
  'a word was not told of, or told of twice': `
    SELECT i.video_id, count(e.id) AS events
    FROM subscription_items i JOIN subscriptions s ON s.id = i.subscription_id
      LEFT JOIN webhook_events e ON e.subject_id = i.id AND e.type = 'subscription.matched'
    WHERE i.state = 'processed' GROUP BY i.subscription_id, i.video_id, s.match
    HAVING count(e.id) <> (CASE WHEN s.match IS NULL THEN 0 ELSE 1 END)`,
} as const

/** Compares the items of all subscriptions with what their channel has published, with their jobs and their events. */
export async function checkFollowing(db: Db, published: readonly string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [promise, statement] of Object.entries(CHECKS)) {
    const values = statement.includes('$1') ? [published] : []
    found[promise] = (await db.query(statement, values)).rows
  }
  return found
}
