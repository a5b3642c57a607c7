import { randomUUID } from 'node:crypto'
import {
  DEFAULT_QUOTAS,
  GRANULARITIES,
  type Granularity,
  type ResultUsage,
  ServiceError,
  SUMMARY_MODES,
} from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import type { Actor } from '../context.ts'
import { completeJob, failJob } from '../jobs/end.ts'
import { findJob } from '../jobs/find-sql.ts'
import { addJobSummary, saveSummary } from '../summaries/summaries-sql.ts'
import { foldUsageAdditions } from './additions-sql.ts'
import { getCurrentUsage } from './current.ts'
import { getUsageHistory, type UsageHistoryPage } from './history.ts'
import type { UsageSums } from './usage-sql.ts'

// Usage is stored in UTC, so it must not depend on the time zone of the database.
const { db } = useTestDatabase({ maxConnections: 20, settings: { TimeZone: 'America/St_Johns' } })

const RANGE = { start: new Date('2025-11-28T00:00:00Z'), end: new Date('2026-03-04T00:00:00Z') }
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03']
const HOUR_MS = 3_600_000

interface Receipt {
  inputTokens: number
  cacheWriteTokens: number
  cachedInputTokens: number
  outputTokens: number
  microUsd: number
}
interface Ending {
  /** Keys 0 and 1 belong to one account, key 2 to another. */
  key: number
  at: Date
  completed: boolean
  receipts: Receipt[]
}

const tokens = fc.nat(200_000)
const receipt = fc.record<Receipt>({
  inputTokens: tokens,
  cacheWriteTokens: tokens,
  cachedInputTokens: tokens,
  outputTokens: tokens,
  microUsd: fc.nat(3_000_000),
})
const ending = fc.record<Ending>({
  key: fc.nat(2),
  at: fc.oneof(
    fc.date({ min: RANGE.start, max: new Date(RANGE.end.getTime() - 1), noInvalidDate: true }),
    // The first and last instants of days, months and the year, where mistakes are most likely.
    fc.constantFrom(
      ...MONTHS.slice(1).flatMap((month) => [0, -1, HOUR_MS - 1].map((by) => new Date(Date.parse(`${month}-01`) + by))),
    ),
  ),
  completed: fc.boolean(),
  receipts: fc.array(receipt, { maxLength: SUMMARY_MODES.length }),
})

/** Returns the usage of a job as shown in its result. */
function usageOf({ receipts }: Ending): ResultUsage {
  const sum = (pick: (item: Receipt) => number): number => receipts.reduce((total, item) => total + pick(item), 0)
  return {
    input_tokens: sum((item) => item.inputTokens + item.cacheWriteTokens),
    output_tokens: sum((item) => item.outputTokens),
    cached_input_tokens: sum((item) => item.cachedInputTokens),
    total_tokens: sum((item) => item.inputTokens + item.cacheWriteTokens + item.cachedInputTokens + item.outputTokens),
    cost_usd: sum((item) => item.microUsd) / 1e6,
    model: 'model-a',
    cached: receipts.length === 0,
  }
}

const contextAt = (now: Date) => ({
  db,
  clock: () => now,
  log: { info: () => {}, warn: () => {}, error: () => {} },
  notifier: { publish: async () => {}, subscribe: () => () => {} },
  producer: { wakeJobs: async () => {} },
})

/** Stores a job of this actor and ends it as a worker would. */
async function endJob(actor: Actor, ended: Ending): Promise<void> {
  const lease = { jobId: randomUUID(), token: randomUUID() }
  await db.query(
    `INSERT INTO jobs (id, user_id, api_key_id, status, lane, priority, video_id, options, lease_token, wake_at,
       created_at, updated_at)
     VALUES ($1, $2, $3, 'processing', 'normal', 'normal', 'v', '{}', $4, $5, $5, $5)`,
    [lease.jobId, actor.userId, actor.apiKeyId, lease.token, ended.at],
  )
  for (const [index, { microUsd, ...usage }] of ended.receipts.entries()) {
    const id = randomUUID()
    const mode = SUMMARY_MODES[index] ?? 'tldr'
    const content = { overview: [], sections: [] }
    await saveSummary(db, {
      id,
      mode,
      model: 'model-a',
      content,
      usage: { ...usage, costUsd: microUsd / 1e6 },
      cacheKey: Buffer.from(id),
      transcriptId: id,
    })
    await addJobSummary(db, { jobId: lease.jobId, mode, summaryId: id, reused: false })
  }
  const ctx = contextAt(ended.at)
  const result = {
    jobId: lease.jobId,
    transcriptId: randomUUID(),
    cueCount: 0,
    truncated: false,
    selectionReason: 'manual_first' as const,
    videoInfo: {} as never,
    citedStarts: {},
    usage: usageOf(ended),
    processingMs: 1,
    completedAt: ended.at,
  }
  const job = await findJob(db, actor.userId, lease.jobId)
  if (!job) throw new Error('The job is not found.')
  const done = ended.completed
    ? await completeJob(ctx, { job, lease }, { result, warnings: [], event: null })
    : await failJob(ctx, lease, { error: new ServiceError('SUMMARY_UNAVAILABLE'), completedAt: ended.at })
  expect(done).toBe(true)
}

/** Costs are in millionths of a dollar, so that the sums on both sides are whole numbers. */
interface Totals {
  videos: number
  tokens: number
  microUsd: number
}
const NOTHING: Totals = { videos: 0, tokens: 0, microUsd: 0 }
const plus = (one: Totals, other: Totals): Totals => ({
  videos: one.videos + other.videos,
  tokens: one.tokens + other.tokens,
  microUsd: one.microUsd + other.microUsd,
})
const fromJobs = (jobs: Ending[]): Totals =>
  jobs
    .map((job) => ({
      videos: job.completed ? 1 : 0,
      tokens: usageOf(job).total_tokens,
      microUsd: Math.round(usageOf(job).cost_usd * 1e6),
    }))
    .reduce(plus, NOTHING)
/** To a thousandth of a millionth, so that a cost that is no whole number of millionths equals none of the jobs. */
const fromSums = ({ videos, tokens, costUsd }: UsageSums): Totals => ({
  videos,
  tokens,
  microUsd: Math.round(costUsd * 1e9) / 1e3,
})

/** Reads all periods of the range, page by page. */
async function readHistory(actor: Actor, granularity: Granularity): Promise<UsageHistoryPage['periods']> {
  const limit = 366
  const periods: UsageHistoryPage['periods'] = []
  for (let more = true; more; ) {
    const query = { ...RANGE, granularity, limit, offset: periods.length }
    const page = await getUsageHistory(contextAt(new Date('2026-06-01T00:00:00Z')), actor, query)
    periods.push(...page.periods)
    more = page.hasMore
  }
  return periods
}

test('every view of the usage matches the receipts of the jobs, to the millionth of a dollar', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ending, { minLength: 20, maxLength: 60 }), async (jobs) => {
      const users = [randomUUID(), randomUUID()] as const
      const actors = [users[0], users[0], users[1]].map(
        (userId) => ({ userId, apiKeyId: randomUUID(), plan: 'pro', scopes: ['read'] }) satisfies Actor,
      )
      const actorOf = ({ key }: Ending) => {
        const actor = actors[key]
        if (!actor) throw new Error(`There is no key ${key}.`)
        return actor
      }
      await db.prisma.user.createMany({ data: users.map((id) => ({ id, email: `${id}@example.org`, plan: 'pro' })) })
      await db.prisma.apiKey.createMany({
        data: actors.map(({ userId, apiKeyId: id }) => ({
          id,
          userId,
          hash: Buffer.from(id),
          prefix: 'sk_',
          lastFour: 'last',
        })),
      })
      await Promise.all(jobs.map((job) => endJob(actorOf(job), job)))
      // The rest is added by the reports.
      expect(await foldUsageAdditions(db, 10)).toBe(10)

      for (const [key, actor] of actors.entries()) {
        const own = jobs.filter((job) => job.key === key)
        for (const granularity of GRANULARITIES) {
          const periods = await readHistory(actor, granularity)
          expect(periods.map(fromSums).reduce(plus, NOTHING)).toEqual(fromJobs(own))
          const inPeriods = periods.map(({ start, end }) => own.filter((job) => job.at >= start && job.at < end))
          expect(periods.map(fromSums)).toEqual(inPeriods.map(fromJobs))
        }
        for (const month of MONTHS) {
          const ofAccount = jobs.filter((job) => actorOf(job).userId === actor.userId)
          const inMonth = ofAccount.filter((job) => job.at.toISOString().startsWith(month))
          const usage = await getCurrentUsage(
            { ...contextAt(new Date(`${month}-15T12:00:00Z`)), planQuotas: DEFAULT_QUOTAS },
            actor,
          )
          expect(fromSums(usage.period)).toEqual(fromJobs(inMonth))
        }
      }
    }),
    { numRuns: Math.ceil(fuzzRuns() / 100), seed: 20_261_121, endOnFailure: true },
  )
})
