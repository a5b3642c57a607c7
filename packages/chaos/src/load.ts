import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import { createAccountPool } from './accounts.ts'
import type { Arena } from './arena.ts'
import { AFTERMATH_MS, type Span } from './check-spending.ts'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'
import { createRequestPlanner } from './requests.ts'
import { type Courier, createCourier, newSubmission, type Submission } from './submission.ts'

export interface Load {
  submissions: readonly Submission[]
  accounts: ReturnType<typeof createAccountPool>['all']
  courier: Courier
  /** When jobs were cancelled. */
  cancellations: readonly Span[]
  /** Nothing new is sent from now on. */
  stop(): Promise<void>
}

const SENDERS = 6
const ACTIVE_ACCOUNTS = 4
const PAUSE_MS = [250, 850] as const
/** Unfinished jobs above which the senders wait: faults shall meet work under way, not a mountain. */
const BACKLOG = 50
const GIVE_UP_MS = 12_000
const BATCH_SHARE = 0.07

export async function startLoad({
  arena,
  fleet,
  random,
}: {
  arena: Arena
  fleet: Fleet
  random: Random
}): Promise<Load> {
  const apis = fleet.of('api')
  const accounts = createAccountPool(arena.db, ACTIVE_ACCOUNTS)
  const planner = createRequestPlanner(arena.platform, arena.receiver.origin, random)
  const courier = createCourier(() => random.pick(apis))
  const submissions: Submission[] = []
  const cancellations: Span[] = []
  const stopping = new AbortController()
  const batches = await offersBatches(apis[0]?.baseUrl ?? '')
  let backlog = 0

  const cancelLater = async (submission: Submission): Promise<void> => {
    await sleep(random.between(0, 1_200))
    const from = Date.now()
    await courier.cancel(submission)
    cancellations.push({ from, to: Date.now() + AFTERMATH_MS })
  }
  const sendNext = async (nth: number): Promise<void> => {
    const account = await accounts.take(nth)
    const planned = batches && random.chance(BATCH_SHARE) ? planner.batch(account) : planner.job(account)
    const submission = newSubmission(account, planned, random.chance(0.75))
    submissions.push(submission)
    await courier.send(submission, GIVE_UP_MS)
    if (submission.state === 'refused') accounts.retire(account)
    if (submission.state !== 'accepted') return
    if (submission.cancel) await cancelLater(submission)
    else if (random.chance(0.2)) await courier.look(submission)
  }
  const sendAll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (backlog < BACKLOG) await sendNext(submissions.length)
      await sleep(random.between(...PAUSE_MS))
    }
  }
  const watchBacklog = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      backlog = await countUnfinished(arena).catch(() => backlog) // database away
      await sleep(500)
    }
  }
  const running = Promise.all([...Array.from({ length: SENDERS }, sendAll), watchBacklog()])
  return {
    ...{ submissions, accounts: accounts.all, courier, cancellations },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function countUnfinished({ db }: Arena): Promise<number> {
  const { rows } = await db.query<{ jobs: number }>(
    "SELECT count(*)::int AS jobs FROM jobs WHERE status IN ('queued', 'processing')",
  )
  return rows[0]?.jobs ?? 0
}

async function offersBatches(baseUrl: string): Promise<boolean> {
  const { paths } = (await (await fetch(`${baseUrl}${API_PREFIX}/openapi.json`)).json()) as { paths: object }
  return Object.keys(paths).some((path) => path.endsWith('/batch/process'))
}
