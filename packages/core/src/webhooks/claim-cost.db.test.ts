import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimDeliveries, storeEvent } from '../testing/index.ts'
import { listClaimableDeliveries } from './claim-sql.ts'
import { buildWebhookKeys } from './receiver-keys.ts'

const { db } = useTestDatabase()
const userId = randomUUID()
const urlOf = (host: string) => `https://${host}/hook`

describe('the cost of a claim', () => {
  const MANY = 20_000
  const insertLine = (count: number, host: string, state: string) =>
    db.query(
      `WITH event AS (
         INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
         SELECT gen_random_uuid(), $1, 'job.completed', gen_random_uuid(), 'x', now() FROM generate_series(1, $2::int)
         RETURNING id
       )
       INSERT INTO webhook_deliveries (id, event_id, user_id, url, receiver_key, endpoint_key, ready, next_attempt_at,
         created_at, updated_at)
       SELECT gen_random_uuid(), id, $1, $3, CASE WHEN $5 THEN $4::uuid ELSE gen_random_uuid() END, $4, $5,
         now() + CASE WHEN $5 THEN interval '-1 hour' ELSE interval '1 hour' END, now(), now() FROM event`,
      [userId, count, urlOf(host), buildWebhookKeys(userId, urlOf(host)).receiverKey, state === 'due'],
    )
  /** Returns the number of rows the statement read, as counted by the executor. */
  async function rowsTouched(): Promise<number> {
    const plans: unknown[] = []
    await listClaimableDeliveries(
      {
        async query(text, values) {
          const { rows } = await db.query<{ 'QUERY PLAN': unknown[] }>(
            `EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${text}`,
            values,
          )
          plans.push(rows[0]?.['QUERY PLAN'])
          return { rows: [], rowCount: 0 }
        },
      },
      { from: randomUUID(), cap: 5, limit: 20, smallBytes: 1_000 },
    )
    let touched = 0
    JSON.stringify(plans, (key, value) => {
      if (typeof value === 'object' && value !== null && 'Relation Name' in value) {
        touched += value['Actual Rows'] * value['Actual Loops'] + (value['Rows Removed by Filter'] ?? 0)
      }
      return key === 'Plan' || key === 'Plans' || typeof value === 'object' ? value : undefined
    })
    return touched
  }

  test('reads few rows behind a long line of one receiver and beside many later attempts', async () => {
    await insertLine(MANY, 'hanging.example', 'due')
    await insertLine(MANY, 'later.example', 'later')
    const url = urlOf('healthy.example')
    await Promise.all(
      Array.from({ length: 3 }, () => storeEvent(db, { userId, url, createdAt: new Date(Date.now() - 1_000) })),
    )
    await db.query('ANALYZE')
    const claimed = await claimDeliveries(db)
    expect(claimed.map(({ url }) => new URL(url).host)).toEqual(['hanging.example', 'healthy.example'])
    expect(await rowsTouched()).toBeLessThan(100)
  })
})
