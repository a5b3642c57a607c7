import { randomUUID } from 'node:crypto'
import type { Db } from '@subtext/db'
import {
  type ClaimedDelivery,
  leaseDeliveries,
  listClaimableDeliveries,
  listLeasedDeliveries,
  lockClaims,
  queueDueDeliveries,
} from '../webhooks/claim-sql.ts'
import {
  type AttemptOutcome,
  type NewWebhookEvent,
  recordDelivered,
  recordFailedAttempt,
  recordWebhookEvent,
} from '../webhooks/events-sql.ts'

export const DISABLE_POLICY = { afterSeconds: 432_000, failedEvents: 10 }

/** Stores an event whose delivery has been due for a second. */
export async function storeEvent(db: Db, overrides: Partial<NewWebhookEvent> = {}): Promise<NewWebhookEvent> {
  const event: NewWebhookEvent = {
    id: randomUUID(),
    deliveryId: randomUUID(),
    userId: randomUUID(),
    type: 'job.completed',
    subjectId: randomUUID(),
    url: 'https://example.org/hook',
    body: Buffer.from('{"a":"\u00e9"}\u0000'),
    createdAt: new Date(Date.now() - 1_000),
    ...overrides,
  }
  await recordWebhookEvent(db, event)
  return event
}

/** Claims up to `limit` deliveries, as a deliverer does. */
export async function claimDeliveries(
  db: Db,
  { limit = 10, cap = 10, leaseSeconds = 60 }: { limit?: number; cap?: number; leaseSeconds?: number } = {},
): Promise<ClaimedDelivery[]> {
  const token = randomUUID()
  const ids = await db.transaction(async (sql) => {
    await lockClaims(sql)
    await queueDueDeliveries(sql, true)
    const found = await listClaimableDeliveries(sql, { from: randomUUID(), cap, limit, smallBytes: 1_000 })
    const chosen = found.slice(0, limit).map(({ id }) => id)
    await leaseDeliveries(sql, chosen, { token, leaseSeconds })
    return chosen
  })
  return listLeasedDeliveries(db, ids, token)
}

/** Claims the next delivery. Throws if none is due. */
export async function claimOne(db: Db): Promise<ClaimedDelivery> {
  const [delivery] = await claimDeliveries(db, { limit: 1 })
  if (!delivery) throw new Error('Nothing is due.')
  return delivery
}

export const newOutcome = (overrides: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  startedAt: new Date(),
  durationMs: 12,
  responseBody: null,
  statusCode: 500,
  error: null,
  quick: true,
  next: { retryInSeconds: 60 },
  ...overrides,
})

/** Records the outcome of an attempt. Returns null if another deliverer has the delivery. */
export async function settle(
  db: Db,
  delivery: ClaimedDelivery,
  overrides: Partial<AttemptOutcome> = {},
): Promise<{ endpointDisabled: boolean } | null> {
  const outcome = newOutcome(overrides)
  const isDelivered = 'status' in outcome.next && outcome.next.status === 'delivered'
  if (!isDelivered) return recordFailedAttempt(db, delivery, outcome, DISABLE_POLICY)
  const [isRecorded] = await recordDelivered(db, [{ delivery, outcome }])
  return isRecorded ? { endpointDisabled: false } : null
}

/** Makes every pending delivery due, including leased ones. */
export const passTime = (db: Db) =>
  db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s' WHERE status = 'pending'`)
