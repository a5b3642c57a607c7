import { createClaimer, type Job } from '@subtext/core/jobs'
import { oldestCurrent } from '@subtext/core/videos'
import type { Sql } from '@subtext/db'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const WRITTEN = /INSERT INTO (\w+)|UPDATE (\w+) SET/g
/** What a job that takes more than a second on a busy machine says in between: its step, and that its worker is alive. */
const SAID_IN_BETWEEN = /^UPDATE jobs SET (?:step|wake_at) = /

describe('the statements of a job', () => {
  /** Runs the job, and returns which tables each of its statements may write. */
  async function listWrites(job: Job): Promise<string[]> {
    const { db } = worker.ctx
    const texts: string[] = []
    const record =
      (sql: Sql): Sql['query'] =>
      (text, values) => {
        texts.push(text)
        return sql.query(text, values)
      }
    const transaction: typeof db.transaction = (work) => db.transaction((sql) => work({ ...sql, query: record(sql) }))
    worker.ctx.db = { ...db, query: record(db), transaction }
    worker.ctx.claim = createClaimer({ db: worker.ctx.db }, 5, () => ({
      leaseSeconds: 30,
      notBefore: oldestCurrent(worker.ctx),
    }))
    await worker.run(job)
    worker.ctx.db = db
    expect(await worker.row(job)).toMatchObject({ status: 'completed' })
    const tablesOf = (text: string) => [...text.matchAll(WRITTEN)].map(([, inserted, updated]) => inserted ?? updated)
    return texts
      .filter((text) => !SAID_IN_BETWEEN.test(text))
      .map((text) => [...new Set(tablesOf(text))].sort().join(' '))
  }
  const COMPLETION = 'job_summaries jobs library_entries results summaries usage_additions usage_entries'
  const submit = () => worker.submit({ videoId: 'same-video1' })

  test('are three for a new video, if its summary costs nothing', async () => {
    Object.assign(worker.ctx.summarizer, { isFree: true })
    expect(await listWrites(await submit())).toEqual([
      'jobs leases',
      'leases transcript_parts transcripts videos',
      COMPLETION,
    ])
    expect(await worker.ctx.db.prisma.summary.count()).toBe(1)
  })

  test('are four for a video whose summary the account has, or that costs nothing, one of them to read the transcript', async () => {
    const { id: jobId, userId } = await submit()
    await worker.run({ id: jobId })
    const again = await worker.submit({ videoId: 'same-video1', userId })
    expect(await listWrites(again)).toEqual(['jobs leases', '', 'leases', COMPLETION])
    await worker.ctx.db.query(
      'UPDATE summaries SET (input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd) = (0, 0, 0, 0, 0)',
    )
    expect(await listWrites(await submit())).toEqual(['jobs leases', '', 'leases', COMPLETION])
    expect(worker.stubs).toMatchObject({ videos: ['same-video1'], summaries: ['tldr'] })
    const links = await worker.ctx.db.prisma.jobSummary.findMany({ orderBy: { createdAt: 'asc' } })
    expect(links.map(({ reused, shared }) => ({ reused, shared }))).toEqual([
      { reused: false, shared: false },
      { reused: true, shared: false },
      { reused: false, shared: true },
    ])
    const entries = await worker.ctx.db.prisma.usageEntry.findMany({ orderBy: { createdAt: 'asc' } })
    expect(entries.map(({ outputTokens }) => outputTokens)).toEqual([5, 0, 0])
  })

  test('store a free summary and the link to an earlier one together, with the end of the job', async () => {
    Object.assign(worker.ctx.summarizer, { isFree: true })
    const { id: jobId, userId } = await submit()
    await worker.run({ id: jobId })
    const video = { videoId: 'same-video1', userId }
    const again = await worker.submit(video, { summary_modes: ['tldr', 'detailed'] })
    expect(await listWrites(again)).toEqual(['jobs leases', '', 'leases', COMPLETION])
    expect(worker.stubs.summaries).toEqual(['tldr', 'detailed'])
    const links = await worker.ctx.db.prisma.jobSummary.findMany({ where: { jobId: again.id } })
    expect(links.map(({ mode, reused }) => [mode, reused]).sort()).toEqual([
      ['detailed', false],
      ['tldr', true],
    ])
  })

  test('add a summary that another account has paid for at once', async () => {
    await worker.run(await submit())
    expect(await listWrites(await submit())).toEqual([
      'jobs leases',
      '',
      'leases',
      'job_spendings job_summaries',
      // Counts its cost toward the limits. The first statement finds no counter yet.
      '',
      'spending_counters',
      '',
      'jobs library_entries results usage_additions usage_entries',
    ])
  })

  test('store paid answers of the language model before anything else', async () => {
    expect(await listWrites(await submit())).toEqual([
      'jobs leases',
      'leases transcript_parts transcripts videos',
      'leases',
      // Nobody else stores a summary with its key at this moment.
      '',
      'job_summaries leases summaries',
      'jobs library_entries results usage_additions usage_entries',
    ])
  })
})

test('a summary that costs nothing is lost with a job that another worker has taken over, and written again', async () => {
  Object.assign(worker.ctx.summarizer, { isFree: true })
  const job = await worker.submit()
  const summaries = () => worker.ctx.db.prisma.summary.count()
  worker.stubs.beforeSummary = async () => {
    await worker.passTime()
    worker.stubs.beforeSummary = async () => {}
    await worker.run(job)
  }
  await worker.run(job)
  expect(worker.outcomes).toEqual(['completed', 'lease_lost'])
  expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
  expect([await summaries(), await worker.ctx.db.prisma.jobSummary.count()]).toEqual([1, 1])
  expect(await worker.ctx.db.prisma.usageEntry.count()).toBe(1)
})
