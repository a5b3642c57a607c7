import { randomUUID } from 'node:crypto'
import { BatchCompletedEvent, ServiceError, VideoOptions } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { acceptBatch, type NewBatchJob } from '../jobs/accept-sql.ts'
import { claimJobById } from '../jobs/claim.ts'
import { completeJob, failJob, failOwnJob } from '../jobs/end.ts'
import { openQuotaPeriods } from '../plans/quota-sql.ts'
import { newJob, PERIODS } from '../testing/index.ts'
import { newStoredResult } from '../testing/stored-result.ts'
import { addRequestCounts } from '../usage/usage-sql.ts'
import { findBatch } from './batches-sql.ts'

/** Several processes, each with several connections. */
const PROCESSES = 3
const CONNECTIONS = 6
/** Jobs that end at once: twice as many as there are connections. */
const CONCURRENT_ENDS = 2 * PROCESSES * CONNECTIONS
const WEBHOOK = 'https://example.org/hook'
const QUOTA = { daily: 10_000, monthly: 10_000 }
const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cached_input_tokens: 0,
  total_tokens: 2,
  cost_usd: 0.01,
  model: 'm',
  cached: false,
}

const { db, pools } = useTestDatabase({ pools: PROCESSES, maxConnections: CONNECTIONS })
let published: string[] = []

beforeEach(() => {
  published = []
})

const ignore = (): void => {}
const contextOf = (turn: number) => ({
  producer: { wakeJobs: async () => {} },
  db: pools[turn % pools.length] ?? db,
  log: { info: ignore, warn: ignore, error: ignore },
  notifier: {
    subscribe: () => ignore,
    publish: async (kind: string, id: string) => void published.push(`${kind} ${id}`),
  },
})

async function newUser(): Promise<string> {
  const { id } = await db.prisma.user.create({
    data: { id: randomUUID(), email: `${randomUUID()}@example.org`, plan: 'pro' },
  })
  await openQuotaPeriods(db, [id], PERIODS)
  return id
}

async function newBatch(userId: string, total: number, webhookUrl: string | null = WEBHOOK) {
  const batch = { id: randomUUID(), userId, webhookUrl, serviceName: null, agentName: null, clientReference: null }
  const jobs = Array.from(
    { length: total },
    (_, batchIndex): NewBatchJob => ({
      ...newJob({ userId, apiKeyId: userId, priority: 'high', options: VideoOptions.parse({}), quota: QUOTA }),
      batchId: batch.id,
      batchIndex,
    }),
  )
  const options = { periods: PERIODS, now: new Date(), wakeSeconds: 60 }
  expect(await acceptBatch(db, batch, jobs, options)).toMatchObject({ accepted: true, existed: false })
  return { id: batch.id, jobIds: jobs.map(({ id }) => id) }
}

const newResult = (jobId: string) => newStoredResult(jobId, { usage: USAGE })

type End = 'completed' | 'failed' | 'cancelled' | 'cancelled in the queue'
const ENDS: End[] = ['completed', 'failed', 'cancelled', 'cancelled in the queue']

/** Ends a job in the given way, while concurrent attempts to end it, in the same or another way, have no effect. */
async function end(userId: string, jobId: string, how: End, turn: number): Promise<void> {
  const ctx = contextOf(turn)
  const cancel = () =>
    failOwnJob(contextOf(turn + 1), userId, jobId, {
      error: new ServiceError('JOB_CANCELLED'),
      completedAt: new Date(),
    })
  if (how === 'cancelled in the queue') {
    const cancelled = await Promise.all([cancel(), cancel()])
    expect(cancelled.filter(Boolean)).toHaveLength(1)
    return
  }
  const claimed = await claimJobById(ctx, jobId, { leaseSeconds: 60 })
  if (!claimed) throw new Error('A new job could not be claimed.')
  const fail = () =>
    failJob(ctx, claimed.lease, { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: new Date() })
  const complete = () => completeJob(ctx, claimed, { result: newResult(jobId), warnings: [], event: null })
  const ended = await { completed: complete, failed: fail, cancelled: cancel }[how]()
  expect(Boolean(ended)).toBe(true)
  expect(await Promise.all([fail(), complete(), cancel()])).toEqual([false, false, null])
}

/** Returns a generator of numbers below `limit`, the same in every run (a linear congruential generator). */
function createDice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}

const stored = async (userId: string, batchId: string) => {
  const found = await findBatch(db, userId, batchId)
  if (!found) throw new Error('The batch no longer exists.')
  const events = await db.prisma.webhookEvent.findMany({ where: { subjectId: batchId }, include: { deliveries: true } })
  return { ...found, events }
}

test('counts a hundred jobs that end at once in every way exactly, and records one event', async () => {
  const dice = createDice(20_261_121)
  for (let round = 0; round < ENDS.length; round++) {
    const userId = await newUser()
    const batches = await Promise.all([newBatch(userId, 100), newBatch(userId, 7), newBatch(userId, 40, null)])
    const ways = ENDS.slice(0, round + 1)
    const planned = batches.flatMap(({ id, jobIds }) =>
      jobIds.map((jobId) => ({ batchId: id, jobId, how: ways[dice(ways.length)] ?? 'completed', rank: dice(1_000) })),
    )
    planned.sort((a, b) => a.rank - b.rank)
    // Meanwhile, submissions and counted requests compete for the rows of the account.
    const others = Array.from({ length: 20 }, async (_, turn) => {
      await newBatch(userId, 2)
      const count = { userId, apiKeyId: userId, hour: new Date(), succeeded: 1, failed: 0 }
      await addRequestCounts(contextOf(turn).db, [count])
    })
    const waiting = planned.entries()
    const enders = Array.from({ length: CONCURRENT_ENDS }, async () => {
      for (const [turn, { jobId, how }] of waiting) await end(userId, jobId, how, turn)
    })
    await Promise.all([...others, ...enders])

    let successes = 0
    for (const { id, jobIds } of batches) {
      const completed = planned.filter(({ batchId, how }) => batchId === id && how === 'completed').length
      successes += completed
      const { batch, jobs, events } = await stored(userId, id)
      expect(batch).toMatchObject({
        pending: 0,
        processing: 0,
        succeeded: completed,
        failed: jobIds.length - completed,
        progress: 100,
        status: completed === jobIds.length ? 'completed' : completed === 0 ? 'failed' : 'partial_failure',
      })
      expect(batch.completedAt?.getTime()).toBe(await lastEnd(jobIds))
      expect(jobs.map((job) => job.id)).toEqual(jobIds)
      if (batch.webhookUrl === null) expect(events).toEqual([])
      else expectEvent(batch.status, jobIds, completed, events)
    }
    const used = await db.prisma.quotaUsage.findMany({ where: { userId }, select: { used: true } })
    expect(used).toEqual([{ used: successes + 40 }, { used: successes + 40 }])
    expect(await db.prisma.user.findUnique({ where: { id: userId } })).toMatchObject({
      jobsAccepted: planned.length + 40,
      jobsFailed: planned.length - successes,
    })
  }
})

async function lastEnd(jobIds: string[]): Promise<number> {
  const { _max } = await db.prisma.job.aggregate({ where: { id: { in: jobIds } }, _max: { completedAt: true } })
  return _max.completedAt?.getTime() ?? 0
}

function expectEvent(
  status: string,
  jobIds: string[],
  completed: number,
  events: Awaited<ReturnType<typeof stored>>['events'],
): void {
  expect(events).toMatchObject([{ type: 'batch.completed', deliveries: [{ url: WEBHOOK, status: 'pending' }] }])
  const event = BatchCompletedEvent.parse(JSON.parse(Buffer.from(events[0]?.body ?? []).toString()))
  expect(event.id).toBe(events[0]?.id)
  expect(event.data).toMatchObject({
    status,
    summary_stats: {
      total: jobIds.length,
      queued: 0,
      processing: 0,
      successful: completed,
      failed: jobIds.length - completed,
    },
  })
  expect(event.data.jobs.map(({ index, job_id }) => [index, job_id])).toEqual(jobIds.map((id, index) => [index, id]))
  expect(event.data.jobs.filter((job) => job.status === 'completed')).toHaveLength(completed)
  for (const job of event.data.jobs)
    expect([job.status, job.error === undefined]).toEqual([job.status, job.status === 'completed'])
  expect(published.filter((notification) => notification === `delivery ${event.id}`)).toHaveLength(1)
}

test('a batch is processing until its last job has ended, and shows the status of each job', async () => {
  const userId = await newUser()
  const { id, jobIds } = await newBatch(userId, 4)
  const [first = '', second = '', third = '', fourth = ''] = jobIds
  expect((await stored(userId, id)).batch).toMatchObject({ pending: 4, processing: 0, startedAt: null, progress: 0 })
  await end(userId, first, 'completed', 0)
  await end(userId, second, 'failed', 1)
  await claimJobById(contextOf(0), third, { leaseSeconds: 60 })
  await db.query('UPDATE jobs SET progress = 50 WHERE id = $1', [third])
  const { batch, jobs, events } = await stored(userId, id)
  expect(batch).toMatchObject({
    status: 'processing',
    total: 4,
    pending: 2,
    processing: 1,
    succeeded: 1,
    failed: 1,
    progress: 62,
    startedAt: expect.any(Date),
    completedAt: null,
  })
  expect(jobs.map((job) => job.status)).toEqual(['completed', 'failed', 'processing', 'queued'])
  expect(jobs.map((job) => job.error?.code)).toEqual([undefined, 'VIDEO_UNAVAILABLE', undefined, undefined])
  expect(events).toEqual([])

  await failOwnJob(contextOf(0), userId, third, { error: new ServiceError('JOB_CANCELLED'), completedAt: new Date() })
  await end(userId, fourth, 'cancelled in the queue', 0)
  expect((await stored(userId, id)).batch).toMatchObject({
    status: 'partial_failure',
    pending: 0,
    succeeded: 1,
    failed: 3,
    progress: 100,
    startedAt: batch.startedAt,
  })
})

test('does not count a job whose end cannot be written, which can then be ended again', async () => {
  const userId = await newUser()
  const { id, jobIds } = await newBatch(userId, 1)
  // An event with the same subject already exists.
  await db.query(
    `INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
     VALUES (gen_random_uuid(), $1, 'batch.completed', $2, '', now())`,
    [userId, id],
  )
  await expect(end(userId, jobIds[0] ?? '', 'completed', 0)).rejects.toThrow(/unique/)
  expect((await stored(userId, id)).batch).toMatchObject({ status: 'processing', pending: 1, succeeded: 0 })
  await db.query('DELETE FROM webhook_events WHERE subject_id = $1', [id])
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 second' WHERE batch_id = $1", [id])
  await end(userId, jobIds[0] ?? '', 'completed', 0)
  expect(await stored(userId, id)).toMatchObject({ batch: { status: 'completed' }, events: [{}] })
})

test('does not find a batch of another account', async () => {
  const { id } = await newBatch(await newUser(), 1)
  expect(await findBatch(db, await newUser(), id)).toBeNull()
})
