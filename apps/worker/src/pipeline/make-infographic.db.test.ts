import { UNAVAILABLE_BLOBS } from '@subtext/blobs/testing'
import { type InfographicContent, JobCompletedEvent } from '@subtext/contracts'
import { findBlob } from '@subtext/core/blobs'
import { findInfographic } from '@subtext/core/infographics'
import type { Job, NewJob } from '@subtext/core/jobs'
import { listJobWork } from '@subtext/core/summaries'
import type { Infographics } from '../infographics.ts'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { processVideo } from './process-video.ts'

const CONTENT: InfographicContent = {
  language: 'en',
  headline: 'One, two, three',
  claims: [{ text: 'One comes before two.', segmentIds: [1] }],
  figures: [],
  isChart: false,
  parts: [],
  density: [0.5, 1],
  momentsMs: [0],
  durationMs: 3_000,
  model: 'stub-model',
}
const USAGE = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.004 }
const PICTURE = Buffer.from('picture')
const WEBHOOK = 'https://example.org/hook'

let worker: TestWorker
let written: number
let drawn: number
let counted: unknown[]
let infographics: Infographics

beforeEach(async () => {
  worker = await openTestWorker()
  written = 0
  drawn = 0
  counted = []
  infographics = {
    writer: {
      model: 'stub-model',
      version: '1',
      async write(_source, _summaries, { onSpending }) {
        written++
        await onSpending({ purpose: 'infographic', mode: null, model: 'stub-model', usage: USAGE })
        return CONTENT
      },
    },
    async draw() {
      drawn++
      return PICTURE
    },
    count: ({ outcome }) => void counted.push(outcome),
  }
  worker.ctx.infographics = infographics
})
afterEach(() => worker.close())

const submit = (overrides: Partial<Omit<NewJob, 'options'>> = {}): Promise<Job> =>
  worker.submit(overrides, { generate_infographic: true })
const warningsOf = async (job: Job) => ((await worker.row(job)).warnings as { code: string }[]).map(({ code }) => code)
const event = async (job: Job) => {
  const stored = await worker.ctx.db.prisma.webhookEvent.findFirstOrThrow({ where: { subjectId: job.id } })
  return JobCompletedEvent.parse(JSON.parse(Buffer.from(stored.body).toString('utf8'))).data
}
const FILE = 'infographic-card-light-4.png'

test('stores the picture, puts its link and its text into the event, and counts its cost', async () => {
  const job = await submit({ webhookUrl: WEBHOOK })
  await worker.run(job)
  expect(await worker.row(job)).toMatchObject({ status: 'completed', progress: 100, warnings: [] })
  expect(await findBlob(worker.ctx, { jobId: job.id, name: FILE })).toEqual(PICTURE)
  const { infographic_url, infographic_alt_text, usage } = await event(job)
  expect(infographic_url).toMatch(
    new RegExp(`^https://api\\.example\\.org/api/v1/videos/infographic/${job.id}\\?expires=`),
  )
  expect(infographic_alt_text).toContain('One comes before two.')
  expect(usage.overhead).toMatchObject({ fresh_input_tokens: 7, output_tokens: 3, cost_usd: 0.004 })
  expect((await listJobWork(worker.ctx.db, job.id)).spendings).toMatchObject([{ purpose: 'infographic', mode: null }])
  expect(counted).toEqual(['made'])
})

test('makes no infographic for a job that did not ask for one', async () => {
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  await worker.run(job)
  expect([written, drawn]).toEqual([0, 0])
  expect(await event(job)).not.toHaveProperty('infographic_url')
})

test.each<[string, () => void]>([
  ['are switched off', () => Object.assign(worker.ctx, { infographics: null })],
  [
    'cannot be written',
    () => Object.assign(infographics.writer, { write: () => Promise.reject(new Error('no answer')) }),
  ],
  ['have nothing to show', () => Object.assign(infographics.writer, { write: async () => null })],
  ['cannot be drawn', () => Object.assign(infographics, { draw: () => Promise.reject(new Error('out of memory')) })],
])('a job completes with a warning and without a link while infographics %s', async (_, breakIt) => {
  breakIt()
  const job = await submit({ webhookUrl: WEBHOOK })
  await worker.run(job)
  expect((await worker.row(job)).status).toBe('completed')
  expect(await warningsOf(job)).toEqual(['INFOGRAPHIC_UNAVAILABLE'])
  expect(await event(job)).not.toHaveProperty('infographic_url')
})

test('a job completes with a link even if the picture cannot be stored, because it is drawn again on request', async () => {
  worker.ctx.blobs = UNAVAILABLE_BLOBS
  const job = await submit({ webhookUrl: WEBHOOK })
  await worker.run(job)
  expect(await warningsOf(job)).toEqual([])
  expect((await event(job)).infographic_url).toBeDefined()
})

test('pays for the texts once, even if the attempt that paid for them fails', async () => {
  const stopping = new AbortController()
  const { draw } = infographics
  infographics.draw = async (_infographic, signal) => {
    stopping.abort(new Error('the worker stops'))
    signal.throwIfAborted()
    return PICTURE
  }
  const job = await submit()
  await worker.run(job, stopping.signal)
  expect(worker.outcomes).toEqual(['handed_back'])
  expect((await findInfographic(worker.ctx.db, job.id))?.drawnAt).toBeNull()
  infographics.draw = draw
  await worker.run(job)
  expect((await worker.row(job)).status).toBe('completed')
  expect([written, drawn]).toEqual([1, 1])
  expect((await listJobWork(worker.ctx.db, job.id)).spendings).toHaveLength(1)
})

test('reuses the texts of an earlier job of the same account only, unless a refresh is requested', async () => {
  const first = await submit({ videoId: 'abcdefghijk' })
  await worker.run(first)
  const again = await submit({ videoId: 'abcdefghijk', userId: first.userId })
  await worker.run(again)
  expect([written, drawn]).toEqual([1, 2])
  expect((await listJobWork(worker.ctx.db, again.id)).spendings).toEqual([])
  await worker.run(await submit({ videoId: 'abcdefghijk' }))
  expect(written).toBe(2)
  await worker.run(await submit({ videoId: 'abcdefghijk', userId: first.userId, forceRefresh: true }))
  expect(written).toBe(3)
})

test('reports its step after the summaries, and progress never decreases', async () => {
  const reports: [string, number][] = []
  await processVideo(worker.ctx, await submit(), {
    signal: new AbortController().signal,
    report: (step, progress) => void reports.push([step, progress]),
    conclude: async () => {},
  })
  expect(reports.slice(-3)).toEqual([
    ['summarizing', 85],
    ['rendering_infographic', 85],
    ['rendering_infographic', 95],
  ])
  const progress = reports.map(([, percent]) => percent)
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
})
