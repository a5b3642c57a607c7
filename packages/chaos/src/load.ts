import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import { createAccountPool } from './accounts.ts'
import { AFTERMATH_MS, type FaultPeriod } from './check-spending.ts'
import type { Fleet } from './fleet.ts'
import { type Following, startFollowing } from './follow.ts'
import type { Random } from './random.ts'
import { createRequestPlanner } from './requests.ts'
import { type ApiClient, createApiClient, createSubmission, type Submission } from './submission.ts'
import type { ChaosTestBed } from './test-bed.ts'

export interface Load {
  submissions: readonly Submission[]
  accounts: ReturnType<typeof createAccountPool>['all']
  apiClient: ApiClient
  /** When jobs were cancelled. */
  cancellations: readonly FaultPeriod[]
  /** IDs of the videos of a followed channel. */
  published: Following['published']
  /** Stops sending new requests. */
  stop(): Promise<void>
}

const SENDERS = 6
const ACTIVE_ACCOUNTS = 4
const PAUSE_MS = [250, 850] as const
/**
 * The senders pause above this number of unfinished jobs: faults should hit work in progress, not a long queue. Where the machine
 * is the limit, a killed worker would otherwise have a call in flight in each of its slots.
 */
const MAX_BACKLOG = 8
const SEND_TIMEOUT_MS = 12_000
const BATCH_SHARE = 0.07

export async function startLoad({
  testBed,
  fleet,
  random,
}: {
  testBed: ChaosTestBed
  fleet: Fleet
  random: Random
}): Promise<Load> {
  const apis = fleet.of('api')
  const accounts = createAccountPool(testBed.db, ACTIVE_ACCOUNTS)
  const following = await startFollowing({ testBed, fleet, accounts, random })
  const planner = createRequestPlanner(testBed.platform, testBed.receiver.origin, random)
  const apiClient = createApiClient(() => random.pick(apis))
  const submissions: Submission[] = []
  const cancellations: FaultPeriod[] = []
  const stopping = new AbortController()
  const batches = await offersBatches(apis[0]?.baseUrl ?? '')
  let backlog = 0

  const cancelLater = async (submission: Submission): Promise<void> => {
    await sleep(random.between(0, 1_200))
    const from = Date.now()
    await apiClient.cancel(submission)
    cancellations.push({ from, to: Date.now() + AFTERMATH_MS })
  }
  const sendNext = async (nth: number): Promise<void> => {
    const account = await accounts.take(nth)
    const planned = batches && random.chance(BATCH_SHARE) ? planner.batch(account) : planner.job(account)
    const submission = createSubmission(account, planned, random.chance(0.75))
    submissions.push(submission)
    await apiClient.send(submission, SEND_TIMEOUT_MS)
    if (submission.state === 'refused') accounts.retire(account)
    if (submission.state !== 'accepted') return
    if (submission.cancel) await cancelLater(submission)
    else if (random.chance(0.2)) await apiClient.checkStatus(submission)
  }
  const sendAll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (backlog < MAX_BACKLOG) await sendNext(submissions.length)
      await sleep(random.between(...PAUSE_MS))
    }
  }
  const watchBacklog = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      backlog = await countUnfinished(testBed).catch(() => backlog) // The database may be unavailable.
      await sleep(500)
    }
  }
  const running = Promise.all([...Array.from({ length: SENDERS }, sendAll), watchBacklog()])
  return {
    submissions,
    accounts: accounts.all,
    apiClient,
    cancellations,
    published: following.published,
    async stop() {
      stopping.abort()
      await Promise.all([running, following.stop()])
    },
  }
}

async function countUnfinished({ db }: ChaosTestBed): Promise<number> {
  const { rows } = await db.query<{ jobs: number }>(
    "SELECT count(*)::int AS jobs FROM jobs WHERE status IN ('queued', 'processing')",
  )
  return rows[0]?.jobs ?? 0
}

async function offersBatches(baseUrl: string): Promise<boolean> {
  const { paths } = (await (await fetch(`${baseUrl}${API_PREFIX}/openapi.json`)).json()) as { paths: object }
  return Object.keys(paths).some((path) => path.endsWith('/batch/process'))
}
