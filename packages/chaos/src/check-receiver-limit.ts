import { waitUntil } from '@subtext/embedded/testing'
import type { ReceiverStats } from './check-webhooks.ts'
import { RECEIVER_LIMIT_VIOLATION } from './controls.ts'
import { RECEIVER_LIMIT } from './fleet.ts'
import type { ChaosTestBed } from './test-bed.ts'

const REPEATED_DELIVERIES = 30
const TIMEOUT_MS = 60_000

/** Makes deliveries to one receiver due at the same time, and marks the receiver as quick. */
const REPEAT_DELIVERIES = `
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

const COUNT_ATTEMPTED = `
SELECT count(*)::int AS attempted FROM webhook_deliveries d JOIN unnest($1::uuid[], $2::int[]) AS before(id, attempts) USING (id)
WHERE d.attempts > before.attempts`

/**
 * Makes many deliveries to one receiver due at the same time, and checks that no receiver got more concurrent deliveries than
 * its limit at any time in the run.
 */
export async function checkReceiverLimit(
  { db }: Pick<ChaosTestBed, 'db'>,
  receiver: ReceiverStats,
): Promise<Record<string, unknown[]>> {
  const { rows } = await db.query<{ id: string; attempts: number }>(REPEAT_DELIVERIES, [REPEATED_DELIVERIES])
  const before = [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts)]
  await waitUntil(
    'the repeated deliveries are attempted',
    async () => (await db.query<{ attempted: number }>(COUNT_ATTEMPTED, before)).rows[0]?.attempted === rows.length,
    TIMEOUT_MS,
  )
  const peak = receiver.peakConcurrency()
  return { [RECEIVER_LIMIT_VIOLATION]: peak > RECEIVER_LIMIT ? [{ peak, limit: RECEIVER_LIMIT }] : [] }
}
