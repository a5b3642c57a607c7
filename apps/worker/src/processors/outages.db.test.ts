import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

test('a job stays with its worker while the database is unavailable for longer than the lease', async () => {
  worker.ctx.work = { ...worker.ctx.work, leaseSeconds: 0.6 }
  const link = await worker.useBreakableLink()
  worker.stubs.beforeSummary = async () => {
    link.cut()
    await sleep(1_500)
    setTimeout(link.heal, 200)
  }
  const job = await worker.submit()
  await worker.run(job)
  expect(worker.outcomes).toEqual(['completed'])
  expect(await worker.row(job)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a video that was fetched during an outage of the database is stored once the database returns', async () => {
  const link = await worker.useBreakableLink()
  worker.stubs.beforeVideo = async () => {
    link.cut()
    setTimeout(link.heal, 1_000)
  }
  await worker.run(await worker.submit())
  expect(worker.outcomes).toEqual(['completed'])
  expect(worker.stubs.videos).toHaveLength(1)
})

test('a job that meets an outage of the database is handed back once the database returns', async () => {
  const link = await worker.useBreakableLink()
  const { summarizer } = worker.ctx
  worker.ctx.summarizer = {
    ...summarizer,
    async summarize(...request) {
      const unwritten = await summarizer.summarize(...request)
      link.cut()
      setTimeout(link.heal, 1_000)
      return unwritten
    },
  }
  const job = await worker.submit()
  await worker.run(job)
  expect(worker.outcomes).toEqual(['handed_back'])
  expect(await worker.row(job)).toMatchObject({ status: 'processing', attempts: 0, leaseToken: null })
})

test('a job that fails during an outage of the database is released once the database returns, and does not count as one whose worker died', async () => {
  const link = await worker.useBreakableLink()
  worker.stubs.beforeVideo = async () => {
    link.cut()
    setTimeout(link.heal, 1_000)
    throw new ServiceError('UPSTREAM_UNAVAILABLE')
  }
  const job = await worker.submit()
  await worker.run(job)
  expect(worker.outcomes).toEqual(['postponed'])
  expect(await worker.row(job)).toMatchObject({ status: 'processing', attempts: 1, deaths: 0, leaseToken: null })
})

test('a transcript that meets a full disk is stored when there is space, without another request to the platform', async () => {
  const { db } = worker.ctx
  await db.query('CREATE SEQUENCE refusals')
  // The sequence counts in transactions that are rolled back, too.
  await db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('refusals');
     RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
  )
  for (const table of ['transcripts', 'videos']) {
    await db.query(`CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`)
  }
  const job = await worker.submit()
  const work = worker.run(job)
  for (const [table, refusals] of [
    ['transcripts', 2],
    ['videos', 4],
  ] as const) {
    await waitUntil('the database has refused twice', async () => {
      const { rows } = await db.query<{ count: number }>('SELECT last_value::int AS count FROM refusals')
      return (rows[0]?.count ?? 0) >= refusals || worker.outcomes.length > 0
    })
    await db.query(`DROP TRIGGER full_disk ON ${table}`)
  }
  await work
  expect(worker.outcomes).toEqual(['completed'])
  expect([worker.stubs.videos, worker.stubs.captions]).toEqual([[job.videoId], ['.en']])
})
