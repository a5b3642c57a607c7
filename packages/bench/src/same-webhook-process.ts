import { createHmac } from 'node:crypto'
import pg from 'pg'
import { Agent, request } from 'undici'
import { handleCalls } from './child-process.ts'
import type { BaselineDelivery } from './webhooks.ts'

const dispatcher = new Agent()
let pool: pg.Pool | undefined

const sign = (body: Buffer): string => `sha256=${createHmac('sha256', 'whsec_baseline').update(body).digest('hex')}`

async function send(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  const type = { 'content-type': 'application/json' }
  const reply = await request(url, { method: 'POST', headers: { ...type, ...headers }, body, dispatcher })
  await reply.body.dump()
  if (reply.statusCode !== 204) throw new Error(`The receiver responded with ${reply.statusCode}.`)
  return reply.statusCode
}

async function runTogether(count: number, concurrency: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 0
  const runOneByOne = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, runOneByOne))
}

/**
 * Does the same work without tuning: lists what is pending and, for each delivery, claims it, reads the secret, signs twice, posts,
 * and records the attempt and its outcome, with a commit each.
 */
async function deliver({ databaseUrl, concurrency }: BaselineDelivery): Promise<void> {
  pool ??= new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const db = pool
  const { rows } = await db.query(
    `SELECT d.id, d.url, e.body, e.user_id FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
     WHERE d.status = 'pending'`,
  )
  await runTogether(rows.length, concurrency, async (nth) => {
    const { id, url, body, user_id } = rows[nth]
    await db.query('UPDATE webhook_deliveries SET lease_token = gen_random_uuid(), ready = false WHERE id = $1', [id])
    await db.query('SELECT * FROM webhook_secrets WHERE user_id = $1', [user_id])
    const started = new Date()
    const headers = { 'x-webhook-signature': sign(body), 'webhook-signature': sign(body) }
    const status = await send(url, body, headers)
    await db.query(
      `INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms, status_code) VALUES ($1, 1, $2, $3, $4)`,
      [id, started, Date.now() - started.getTime(), status],
    )
    await db.query(
      "UPDATE webhook_deliveries SET status = 'delivered', attempts = 1, lease_token = NULL WHERE id = $1",
      [id],
    )
  })
}

handleCalls({ deliver })
