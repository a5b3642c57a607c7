import { randomUUID } from 'node:crypto'
import { type Db, openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { createProducer, type Producer } from '@subtext/queue'
import { countTasks, testQueue } from '@subtext/queue/testing'
import { claimStoredJob, holdJob, storeJob } from '../testing/index.ts'
import { releaseJob } from './release-sql.ts'
import { createSweeper } from './sweep.ts'

const { db } = useTestDatabase({ maxConnections: 4, per: 'test' })
let queue: ReturnType<typeof testQueue>
let producers: Producer[]

beforeEach(() => {
  queue = testQueue()
  producers = []
})
afterEach(() => Promise.all(producers.map((producer) => producer.close())))

/** Creates the sweeper of one worker. */
async function newWorker(ownDb: Db = db) {
  const producer = createProducer(queue)
  producers.push(producer)
  await waitUntil('Redis is connected', producer.isConnected)
  return { producer, sweep: createSweeper({ db: ownDb, producer }, 5) }
}
const storeDue = async (count: number) => {
  const jobs = []
  for (let nth = 0; nth < count; nth++) jobs.push(await storeJob(db, {}, -5))
  return jobs
}

test('wakes jobs with a lost wake-up, an expired lease or an expired pause, once', async () => {
  const { sweep } = await newWorker()
  const [dead, paused] = [await claimStoredJob(db), await claimStoredJob(db)]
  await storeDue(1)
  await storeJob(db)
  await claimStoredJob(db)
  await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1`, [dead.job.id])
  await releaseJob(db, paused.lease, { delaySeconds: -1, refund: false })
  expect(await sweep()).toBe(3)
  expect(await countTasks(queue)).toBe(3)
  expect(await sweep()).toBe(0)
})

test('walks through a backlog without writing to it, and finds the one job whose task is missing', async () => {
  const { producer, sweep } = await newWorker()
  const jobs = await storeDue(23)
  await producer.wakeJobs(jobs.filter((_, nth) => nth !== 17))
  const readVersions = async () => (await db.query('SELECT id, xmin, xmax, ctid FROM jobs ORDER BY id')).rows
  const before = await readVersions()
  const woken = []
  for (let round = 0; round < 10; round++) woken.push(await sweep())
  expect(woken.filter((count) => count > 0)).toEqual([1])
  expect(await countTasks(queue)).toBe(23)
  expect(await readVersions()).toEqual(before)
})

test('restores a whole backlog at once after Redis has lost it', async () => {
  const { sweep } = await newWorker()
  await storeDue(23)
  expect(await sweep()).toBe(23)
  expect(await countTasks(queue)).toBe(23)
})

test('wakes a job of a dead worker although many queued jobs have been due for longer', async () => {
  const { producer, sweep } = await newWorker()
  await producer.wakeJobs(await storeDue(12))
  const { job } = await claimStoredJob(db)
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1", [job.id])
  expect(await sweep()).toBe(1)
})

test('is done by one worker of all, and by another when that one is gone', async () => {
  const [first, second] = [await newWorker(), await newWorker()]
  await storeDue(1)
  expect(await first.sweep()).toBe(1)
  await storeDue(1)
  expect(await second.sweep()).toBe(0)
  await first.producer.close()
  await waitUntil('the role has expired', async () => (await second.sweep()) === 1)
})

test('passes to another worker when the one that sweeps cannot reach the database', async () => {
  const unreachable = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const [cut, healthy] = [await newWorker(unreachable), await newWorker()]
  await storeDue(1)
  await expect(cut.sweep()).rejects.toThrow()
  expect(await healthy.sweep()).toBe(1)
  await unreachable.close()
})

test('ends the hold of a job that nothing else has woken', async () => {
  const { sweep } = await newWorker()
  const { id } = await storeJob(db)
  await holdJob(db, id)
  expect(await sweep()).toBe(0)
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 s'")
  expect(await sweep()).toBe(1)
  expect(await db.prisma.job.findUnique({ where: { id } })).toMatchObject({ held: false })
})

test('does nothing while Redis is unavailable', async () => {
  const producer = createProducer({ url: 'redis://127.0.0.1:1', prefix: randomUUID() })
  producers.push(producer)
  await storeDue(1)
  expect(await createSweeper({ db, producer })()).toBe(0)
})
