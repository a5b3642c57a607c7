import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { watchUrl } from '@subtext/server/testing'
import type { Account } from './accounts.ts'
import type { Arena } from './arena.ts'
import type { Fleet, Slot } from './fleet.ts'
import { listTakers } from './lease-log.ts'
import { type Courier, newSubmission, type Submission } from './submission.ts'

/** What is left when it should all be over. */
export interface Settled {
  /** Seconds it took. */
  seconds: number
  jobs: number
  batches: number
  deliveries: number
}

const LOOK_EVERY_MS = 300
/** Requests that are resolved at once. */
const RESOLVERS = 10

const LEFT = `SELECT
  (SELECT count(*)::int FROM jobs WHERE status IN ('queued', 'processing')) AS jobs,
  (SELECT count(*)::int FROM batches WHERE status = 'processing') AS batches,
  (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS deliveries`

/** The leases of the dead run out before their time, so that a short run need not wait for them. */
const HURRY = [
  `UPDATE webhook_deliveries d SET next_attempt_at = now() FROM chaos_leases l
   WHERE l.new_token = d.lease_token::text AND d.status = 'pending' AND l.app = ANY ($1::text[]) AND d.next_attempt_at > now()`,
  'UPDATE idempotency_keys SET locked_until = now() WHERE response IS NULL AND cardinality($1::text[]) > 0',
]

interface SettleOptions {
  submissions: readonly Submission[]
  courier: Courier
  patienceSeconds: number
  /** Processes that were killed, where their leases shall run out at once. */
  hurried: string[]
}

/** Asks again for what has no answer yet, and waits until nothing is left to do or the time is up. */
export async function settle({ db }: Arena, options: SettleOptions): Promise<Settled> {
  const began = performance.now()
  const leftMs = (): number => options.patienceSeconds * 1_000 - (performance.now() - began)
  const hurry = async (): Promise<void> => {
    for (const statement of options.hurried.length > 0 ? HURRY : []) await db.query(statement, [options.hurried])
  }
  await hurry()
  const open = options.submissions.filter(({ state }) => state === 'open')
  const resolve = async (): Promise<void> => {
    for (let next = open.pop(); next; next = open.pop()) await options.courier.send(next, leftMs())
  }
  await Promise.all(Array.from({ length: RESOLVERS }, resolve))
  for (;;) {
    await hurry()
    const { rows } = await db.query<Omit<Settled, 'seconds'>>(LEFT)
    const left = rows[0] ?? { jobs: 0, batches: 0, deliveries: 0 }
    if (left.jobs + left.batches + left.deliveries === 0 || leftMs() <= 0) {
      return { ...left, seconds: (performance.now() - began) / 1_000 }
    }
    await sleep(LOOK_EVERY_MS)
  }
}

const PROBE_WITHIN_MS = 60_000

/**
 * Whether every process still does its work after all that befell it: of each kind the others are frozen for a moment,
 * and a job is submitted. Gives the names of those that do nothing.
 */
export async function listIdle(arena: Arena, fleet: Fleet, courierOf: (api: Slot) => Courier, account: Account) {
  const idle: string[] = []
  for (const nth of [0, 1]) {
    const [api, worker, webhooks] = (['api', 'worker', 'webhooks'] as const).map((app) => fleet.of(app)[nth]) as [
      Slot,
      Slot,
      Slot,
    ]
    const others = fleet.slots.filter((slot) => slot.app !== 'api' && slot !== worker && slot !== webhooks)
    const since = new Date()
    for (const other of others) other.freeze()
    try {
      const mark = `probe/${nth}`
      const body = {
        ...{ url: watchUrl('sbtx-z-0000'), client_reference: mark },
        webhook_url: `${arena.receiver.origin}/${account.name}`,
      }
      const planned = { path: '/videos/process' as const, mark, body, healthy: [true], cancel: false }
      const submission = newSubmission(account, planned, false)
      await courierOf(api).send(submission, 0)
      if (submission.state !== 'accepted') idle.push(api.processName())
      else idle.push(...(await waitForTakers(arena, since, [worker, webhooks])))
    } finally {
      for (const other of others) other.thaw()
    }
  }
  return idle
}

async function waitForTakers({ db }: Arena, since: Date, slots: Slot[]): Promise<string[]> {
  const wanted = slots.map((slot) => slot.processName())
  let missing = wanted
  await waitUntil(
    'both have taken something',
    async () => {
      const takers = await listTakers(db, since)
      missing = wanted.filter((name) => !takers.has(name))
      return missing.length === 0
    },
    PROBE_WITHIN_MS,
  ).catch(() => {}) // `missing` says who has not
  return missing
}
