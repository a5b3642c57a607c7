import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import { addJobSummary } from '@subtext/core/summaries'
import { untilBlocked } from '@subtext/db/testing'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { obtainTranscript } from './obtain-transcript.ts'
import { writeSummaries } from './write-summaries.ts'

let worker: TestWorker
let progress: number[]
beforeEach(async () => {
  worker = await openTestWorker()
  progress = []
})
afterEach(() => worker.close())

const signal = new AbortController().signal
const obtain = (job: Job) =>
  obtainTranscript(worker.ctx, job, {
    signal,
    capacity: worker.ctx.largeVideos.open(),
    onFetchingCaptions: async () => {},
  })

async function write(job: Job, cueCount = 3) {
  const { transcript, info } = await obtain(job)
  const cues = Array.from({ length: cueCount }, () => ({ startMs: 0, durationMs: 0, text: '' }))
  const written = await writeSummaries(
    worker.ctx,
    job,
    { ...transcript, info, cues },
    {
      signal,
      onProgress: async (ready) => void progress.push(ready),
    },
  )
  return {
    made: written.summaries.map(({ mode, reused }) => `${mode}${reused ? ' reused' : ''}`).sort(),
    unwritten: written.unwritten.map(({ mode }) => mode),
  }
}
/** Jobs are of one account unless a test says otherwise. */
const ACCOUNT = { userId: randomUUID(), quota: { daily: 100, monthly: 100 } }
const submit = (modes: ('tldr' | 'detailed' | 'study_notes')[], overrides: Parameters<TestWorker['submit']>[0] = {}) =>
  worker.submit({ ...ACCOUNT, videoId: 'same-video1', ...overrides }, { summary_modes: modes })

test('summaries written before are reused and marked, and only the rest is written', async () => {
  expect(await write(await submit(['tldr', 'detailed']))).toEqual({ made: ['detailed', 'tldr'], unwritten: [] })
  expect(progress).toEqual([1, 2])
  expect((await write(await submit(['tldr', 'study_notes', 'detailed']))).made).toEqual([
    'detailed reused',
    'study_notes',
    'tldr reused',
  ])
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'study_notes'])
  expect(progress).toEqual([1, 2, 2, 3])
})

test('a summary is announced as soon as it is stored', async () => {
  const announced: string[][] = []
  worker.stubs.beforeSummary = async () => void announced.push([...worker.notifications])
  await write(await submit(['tldr', 'detailed']))
  expect(announced).toEqual([[], ['progress']])
})

test('10 concurrent jobs pay for each summary once', async () => {
  worker.stubs.beforeSummary = async () => {
    await sleep(50)
  }
  const jobs = await Promise.all(Array.from({ length: 10 }, () => submit(['tldr', 'detailed'])))
  const made = (await Promise.all(jobs.map((job) => write(job)))).flatMap((written) => written.made)
  expect(worker.stubs.summaries.sort()).toEqual(['detailed', 'tldr'])
  expect(made.filter((text) => text.endsWith('reused'))).toHaveLength(18)
})

test.each<[string, () => Promise<unknown>]>([
  ['other instructions', async () => write(await submit(['tldr'], { customInstructions: 'costs only' }))],
  ['a truncated transcript', async () => write(await submit(['tldr']), 2)],
  [
    'another prompt',
    async () => {
      worker.ctx.summarizer = { ...worker.ctx.summarizer, promptVersion: '2' }
      return write(await submit(['tldr']))
    },
  ],
  [
    'another model',
    async () => {
      worker.ctx.summarizer = { ...worker.ctx.summarizer, model: 'other' }
      return write(await submit(['tldr']))
    },
  ],
  ['a refresh', async () => write(await submit(['tldr'], { forceRefresh: true }))],
])('a job with %s gets a new summary', async (_, again) => {
  await write(await submit(['tldr']))
  expect(await again()).toMatchObject({ made: ['tldr'] })
  expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
})

test('a request for the language of the captions reuses the summary, one for another language does not', async () => {
  const inLanguage = (output_language: string) =>
    worker.submit({ ...ACCOUNT, videoId: 'same-video1' }, { summary_modes: ['tldr'], output_language })
  await write(await submit(['tldr']))
  expect((await write(await inLanguage('en'))).made).toEqual(['tldr reused'])
  expect((await write(await inLanguage('en-US'))).made).toEqual(['tldr reused'])
  expect((await write(await inLanguage('de'))).made).toEqual(['tldr'])
  expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
})

test('a mode that cannot be written does not affect others, and the next job tries it again', async () => {
  worker.stubs.unwritable.set('detailed', { reason: 'unavailable', error: new ServiceError('SUMMARY_UNAVAILABLE') })
  const job = await submit(['tldr', 'detailed'])
  expect(await write(job)).toEqual({ made: ['tldr'], unwritten: ['detailed'] })
  worker.stubs.unwritable.clear()
  expect((await write(await submit(['tldr', 'detailed']))).made).toEqual(['detailed', 'tldr reused'])
})

test('a second attempt at a job pays only for what the first one did not finish', async () => {
  const job = await submit(['tldr', 'detailed'])
  worker.stubs.beforeSummary = async (mode) => {
    if (mode === 'detailed') throw new Error('the worker broke')
  }
  await expect(write(job)).rejects.toThrow('the worker broke')
  worker.stubs.beforeSummary = async () => {}
  expect((await write(job)).made).toEqual(['detailed', 'tldr'])
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'detailed'])
})

test('a worker that was delayed uses the summary that another one wrote meanwhile', async () => {
  const [held, other] = [await submit(['tldr']), await submit(['tldr'])]
  worker.stubs.beforeSummary = async () => {
    worker.stubs.beforeSummary = async () => {}
    // The lease for writing it has expired.
    await worker.ctx.db.query("UPDATE leases SET until = now() - interval '1 s'")
    await write(other)
  }
  expect((await write(held)).made).toEqual(['tldr'])
  expect(await worker.ctx.db.prisma.summary.count()).toBe(1)
})

test('a summary that a former worker of the job paid for in the meantime does not count as reused', async () => {
  await write(await submit(['tldr']))
  const job = await submit(['tldr'])
  const { id } = await worker.ctx.db.prisma.summary.findFirstOrThrow()
  let writing: ReturnType<typeof write> | undefined
  await worker.ctx.db.transaction(async (sql) => {
    await sql.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [job.id])
    writing = write(job)
    await untilBlocked(worker.ctx.db)
    await addJobSummary(sql, { jobId: job.id, mode: 'tldr', summaryId: id, reused: false })
  })
  expect((await writing)?.made).toEqual(['tldr'])
})

test('a summary that was paid for survives an outage of the database', async () => {
  const job = await submit(['tldr', 'detailed'])
  const link = await worker.useBreakableLink()
  worker.stubs.beforeSummary = async () => {
    worker.stubs.beforeSummary = async () => {}
    link.cut()
    setTimeout(link.heal, 1_000)
  }
  expect((await write(job)).made).toEqual(['detailed', 'tldr'])
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed'])
})

describe('notes on parts', () => {
  const KEY = Buffer.alloc(32, 7)
  let taken: number
  /** A summarizer that needs notes on one part. */
  beforeEach(() => {
    taken = 0
    const { summarizer } = worker.ctx
    worker.ctx.summarizer = {
      ...summarizer,
      async summarize(source, modes, options) {
        if (!(await options.notes?.find(KEY))) await options.notes?.save(KEY, [{ text: `${++taken}`, segmentIds: [1] }])
        return summarizer.summarize(source, modes, options)
      },
    }
  })
  const kept = async () => (await worker.ctx.db.prisma.transcriptNotes.findMany()).map(({ notes }) => notes)

  test('are reused by the next attempt and for other modes, while a refresh writes its own and reuses those', async () => {
    const job = await submit(['tldr'])
    worker.stubs.beforeSummary = async () => {
      throw new Error('the worker broke')
    }
    await expect(write(job)).rejects.toThrow('the worker broke')
    worker.stubs.beforeSummary = async () => {}
    await write(job)
    await write(await submit(['detailed']))
    expect(taken).toBe(1)
    const refresh = await submit(['tldr'], { forceRefresh: true })
    worker.stubs.unwritable.set('tldr', { reason: 'unavailable', error: new ServiceError('SUMMARY_UNAVAILABLE') })
    await write(refresh)
    await write(refresh)
    expect(taken).toBe(2)
    expect(await kept()).toEqual([[{ text: '1', segmentIds: [1] }], [{ text: '2', segmentIds: [1] }]])
  })

  test('are written again for another account, which pays for them', async () => {
    const [alice, bob] = [randomUUID(), randomUUID()]
    for (const userId of [alice, bob, bob]) await write(await submit(['tldr'], { userId }))
    await write(await submit(['detailed'], { userId: bob }))
    expect(taken).toBe(2)
  })

  test('on the same transcript are written again by a refresh', async () => {
    await write(await submit(['tldr']))
    const job = await submit(['tldr'], { forceRefresh: true })
    // Another job has refreshed the transcript since, so it stays the same; the notes on it are older.
    await worker.ctx.db.query("UPDATE transcripts SET fetched_at = now() + interval '1 h'")
    await worker.ctx.db.query("UPDATE videos SET fetched_at = now() + interval '1 h'")
    await worker.ctx.db.query("UPDATE transcript_notes SET created_at = now() - interval '1 h'")
    await write(job)
    expect(await kept()).toEqual([[{ text: '2', segmentIds: [1] }]])
  })

  test('survive an outage of the database', async () => {
    const job = await submit(['tldr'])
    const { transcript, info } = await obtain(job)
    const { summarizer } = worker.ctx
    const link = await worker.useBreakableLink()
    worker.ctx.summarizer = {
      ...summarizer,
      async summarize(...request) {
        link.cut()
        setTimeout(link.heal, 1_000)
        return summarizer.summarize(...request)
      },
    }
    const options = { signal, onProgress: async () => {} }
    const { summaries } = await writeSummaries(worker.ctx, job, { ...transcript, info, cues: [] }, options)
    expect(summaries).toHaveLength(1)
    expect(await kept()).toHaveLength(1)
  })
})
