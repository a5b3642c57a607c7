import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { claimStoredJob } from '../testing/index.ts'
import { failOwnJob } from './end.ts'
import { keepLease, LeaseLostError } from './keep-lease.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let warnings: string[] = []
let isRedisDown = false
const listeners = new Map<string, (id: string) => void>()

beforeEach(() => {
  warnings = []
  isRedisDown = false
})

const ignore = (): void => {}
const context = () => ({
  db,
  log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  producer: { isConnected: () => !isRedisDown, wakeJobs: async () => {} },
  notifier: {
    subscribe: (kind: string, listener: (id: string) => void) => {
      listeners.set(kind, listener)
      return () => void listeners.delete(kind)
    },
    publish: async () => {
      if (isRedisDown) throw new Error('Redis is unavailable.')
    },
  },
})
const CANCELLATION = { error: new ServiceError('JOB_CANCELLED'), completedAt: new Date() }

const untilAborted = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('extends the lease for as long as the work takes', async () => {
  const { job, lease } = await claimStoredJob(db)
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1", [job.id])
  const result = await keepLease(context(), lease, 3, async () => {
    await waitUntil('the lease is extended', () =>
      db.prisma.job.findFirst({ where: { id: job.id, wakeAt: { gt: new Date() } } }),
    )
    return 'done'
  })
  expect(result).toBe('done')
})

test('aborts the work when another worker has the job', async () => {
  const { job, lease } = await claimStoredJob(db)
  await db.query('UPDATE jobs SET lease_token = gen_random_uuid() WHERE id = $1', [job.id])
  await expect(keepLease(context(), lease, 0.3, untilAborted)).rejects.toBeInstanceOf(LeaseLostError)
})

/** Extended for the first time after far longer than a test waits, so that only what is tested ends the work. */
const LONG_LEASE_SECONDS = 7_200

test('a cancellation aborts the work at once, but a notification alone does not', async () => {
  const { job, lease } = await claimStoredJob(db)
  const work = keepLease(context(), lease, LONG_LEASE_SECONDS, untilAborted)
  listeners.get('cancel')?.(job.id)
  expect(await Promise.race([work, setTimeout(200, 'continues')])).toBe('continues')
  await failOwnJob(context(), job.userId, job.id, CANCELLATION)
  listeners.get('cancel')?.(randomUUID())
  expect(await Promise.race([work, setTimeout(200, 'continues')])).toBe('continues')
  listeners.get('cancel')?.(job.id)
  await expect(work).rejects.toBeInstanceOf(LeaseLostError)
  expect(listeners.has('cancel')).toBe(false)
})

test('finds a cancellation long before the lease expires while Redis is unavailable', async () => {
  const { job, lease } = await claimStoredJob(db)
  isRedisDown = true
  const work = keepLease(context(), lease, LONG_LEASE_SECONDS, untilAborted)
  await failOwnJob(context(), job.userId, job.id, CANCELLATION)
  await expect(work).rejects.toBeInstanceOf(LeaseLostError)
})

test('lets the work continue while the database is unavailable, because no other worker can have taken the job', async () => {
  const { lease } = await claimStoredJob(db)
  const broken = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const began = performance.now()
  const work = keepLease({ ...context(), db: broken }, lease, 0.3, async (lost) => {
    await waitUntil('the lease would have expired', () => warnings.length >= 5 && performance.now() - began >= 600)
    return lost.aborted
  })
  expect(await work).toBe(false)
  await broken.close()
})
