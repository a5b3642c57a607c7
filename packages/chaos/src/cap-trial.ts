import { waitUntil } from '@subtext/embedded/testing'
import type { Arena } from './arena.ts'
import { RECEIVER_CAP } from './fleet.ts'
import type { Hearing } from './hearing.ts'

const REPEATED = 30
const TRIED_WITHIN_MS = 60_000

/** All due at once, before a receiver that has been quick. */
const REPEAT = `
WITH busiest AS (
  SELECT receiver_key FROM webhook_deliveries WHERE status = 'delivered' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
), quick AS (
  UPDATE webhook_receivers SET quick = true FROM busiest WHERE key = receiver_key
), chosen AS (
  SELECT id FROM webhook_deliveries JOIN busiest USING (receiver_key) WHERE status = 'delivered' LIMIT $1
)
UPDATE webhook_deliveries d SET status = 'pending', ready = true, lease_token = NULL, schedule_base = attempts,
  next_attempt_at = now()
FROM chosen WHERE d.id = chosen.id RETURNING d.id, d.attempts`

const COUNT_TRIED = `
SELECT count(*)::int AS tried FROM webhook_deliveries d JOIN unnest($1::uuid[], $2::int[]) AS before(id, attempts) USING (id)
WHERE d.attempts > before.attempts`

/** Makes many deliveries to one receiver due at once: neither now nor at any time before does it get more than its share. */
export async function tryCap({ db }: Pick<Arena, 'db'>, hearing: Hearing): Promise<Record<string, unknown[]>> {
  const { rows } = await db.query<{ id: string; attempts: number }>(REPEAT, [REPEATED])
  const before = [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts)]
  await waitUntil(
    'the repeated deliveries are tried',
    async () => (await db.query<{ tried: number }>(COUNT_TRIED, before)).rows[0]?.tried === rows.length,
    TRIED_WITHIN_MS,
  )
  const peak = hearing.peakOfAccount()
  return { 'a receiver got more at once than its share': peak > RECEIVER_CAP ? [{ peak, share: RECEIVER_CAP }] : [] }
}
