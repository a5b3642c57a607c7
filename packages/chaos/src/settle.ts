import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { watchUrl } from '@subtext/testbed'
import type { ChaosAccount } from './accounts.ts'
import { countUnfinishedItems } from './check-following.ts'
import type { Fleet, Slot } from './fleet.ts'
import { listClaimants } from './lease-log.ts'
import { type ApiClient, createSubmission, type Submission } from './submission.ts'
import type { ChaosTestBed } from './test-bed.ts'

/** Work that is still unfinished when all of it should have ended. */
export interface Settled {
  /** Seconds until nothing was left, or until the timeout. */
  seconds: number
  jobs: number
  batches: number
  deliveries: number
  /** Of followed videos. */
  items: number
}

const POLL_INTERVAL_MS = 300
/** Number of submissions resolved concurrently. */
const RESOLVERS = 10

const LEFT = `SELECT
  (SELECT count(*)::int FROM jobs WHERE status IN ('queued', 'processing')) AS jobs,
  (SELECT count(*)::int FROM batches WHERE status = 'processing') AS batches,
  (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS deliveries`

/** Expires the leases of killed processes, so that a short run does not have to wait for them. */
const EXPIRE_LEASES = [
  `UPDATE webhook_deliveries d SET next_attempt_at = now() FROM chaos_leases l
   WHERE l.new_token = d.lease_token::text AND d.status = 'pending' AND l.app = ANY ($1::text[]) AND d.next_attempt_at > now()`,
  'UPDATE idempotency_keys SET locked_until = now() WHERE response IS NULL AND cardinality($1::text[]) > 0',
]

interface SettleOptions {
  submissions: readonly Submission[]
  /** IDs of followed videos. */
  published: readonly string[]
  apiClient: ApiClient
  timeoutSeconds: number
  /** Killed processes whose leases should expire at once. */
  expireLeasesOf: string[]
}

/** Resends the submissions that have no response yet, and waits until nothing is left to do or the timeout has passed. */
export async function settle({ db }: ChaosTestBed, options: SettleOptions): Promise<Settled> {
  const startedAt = performance.now()
  const leftMs = (): number => options.timeoutSeconds * 1_000 - (performance.now() - startedAt)
  const expireLeases = async (): Promise<void> => {
    if (options.expireLeasesOf.length === 0) return
    for (const statement of EXPIRE_LEASES) await db.query(statement, [options.expireLeasesOf])
  }
  await expireLeases()
  const open = options.submissions.filter(({ state }) => state === 'open')
  const resolve = async (): Promise<void> => {
    for (let next = open.pop(); next; next = open.pop()) await options.apiClient.send(next, leftMs())
  }
  await Promise.all(Array.from({ length: RESOLVERS }, resolve))
  for (;;) {
    await expireLeases()
    // Items first: what they leave to do is counted afterwards.
    const items = await countUnfinishedItems(db, options.published)
    const { rows } = await db.query<Omit<Settled, 'seconds' | 'items'>>(LEFT)
    const left = { ...(rows[0] ?? { jobs: 0, batches: 0, deliveries: 0 }), items }
    if (sumUnfinished(left) === 0 || leftMs() <= 0) {
      return { ...left, seconds: (performance.now() - startedAt) / 1_000 }
    }
    await sleep(POLL_INTERVAL_MS)
  }
}

export const sumUnfinished = ({ jobs, batches, deliveries, items }: Omit<Settled, 'seconds'>): number =>
  jobs + batches + deliveries + items

const PROBE_TIMEOUT_MS = 240_000

/**
 * Checks that every process still works after the faults: freezes the other workers and webhook senders, and submits a job.
 * Returns the names of the processes that did nothing.
 */
export async function listIdle(
  testBed: ChaosTestBed,
  fleet: Fleet,
  clientOf: (api: Slot) => ApiClient,
  account: ChaosAccount,
) {
  const idle: string[] = []
  for (const nth of [0, 1]) {
    const api = fleet.nth('api', nth)
    const worker = fleet.nth('worker', nth)
    const webhooks = fleet.nth('webhooks', nth)
    const others = fleet.slots.filter((slot) => slot.app !== 'api' && slot !== worker && slot !== webhooks)
    const since = new Date()
    for (const other of others) other.freeze()
    try {
      const reference = `probe/${nth}`
      const body = {
        url: watchUrl('sbtx-z-0000'),
        client_reference: reference,
        webhook_url: `${testBed.receiver.origin}/${account.name}`,
      }
      const planned = { path: '/videos/process' as const, reference, body, available: [true], cancel: false }
      const submission = createSubmission(account, planned, false)
      await clientOf(api).send(submission, 0)
      if (submission.state !== 'accepted') idle.push(api.processName())
      else idle.push(...(await listWithoutClaim(testBed, since, [worker, webhooks])))
    } finally {
      for (const other of others) other.thaw()
    }
  }
  return idle
}

/** Waits until each process has claimed something, and returns the names of those that have not within the timeout. */
async function listWithoutClaim({ db }: ChaosTestBed, since: Date, slots: Slot[]): Promise<string[]> {
  const expected = slots.map((slot) => slot.processName())
  let missing = expected
  await waitUntil(
    'both processes have claimed something',
    async () => {
      const claimants = await listClaimants(db, since)
      missing = expected.filter((name) => !claimants.has(name))
      return missing.length === 0
    },
    PROBE_TIMEOUT_MS,
  ).catch(() => {}) // The result is in `missing`.
  return missing
}
