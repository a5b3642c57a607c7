import { randomUUID } from 'node:crypto'
import type { CaptionTrack } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { createAnthropicModel, createCostComputer } from '@subtext/llm'
import {
  createExtractiveSummarizer,
  createExtractor,
  createInfographicWriter,
  createModelSummarizer,
  withFallback,
} from '@subtext/summarize'
import { createInfographics } from '../infographics.ts'
import { processJob } from '../processors/process-job.ts'
import { type LyingProvider, openLyingProvider, type ProviderDeed } from '../testing/lying-provider.ts'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

const MODEL = 'claude-haiku-4-5'
/** US dollars per token, and the highest of the input. */
const INPUT_PRICE = 1.25e-6
const OUTPUT_PRICE = 5e-6
const CUES = [...(SAMPLE_TALKS.english.tracks[0]?.cues() ?? [])]

let provider: LyingProvider
let worker: TestWorker
beforeEach(async () => {
  provider = await openLyingProvider()
  worker = await openTestWorker()
  const { ctx } = worker
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: provider.baseUrl, model: MODEL })
  const computeCostUsd = createCostComputer()
  const extractive = createExtractiveSummarizer()
  ctx.summarizer = withFallback(createModelSummarizer(model, { computeCostUsd }), extractive)
  ctx.extractor = createExtractor({ extractive, model, computeCostUsd })
  const writer = createInfographicWriter({ extractive, model, computeCostUsd })
  ctx.infographics = {
    ...createInfographics(writer, { render: async () => Buffer.alloc(0) } as never, () => {}),
    draw: async () => Buffer.from('picture'),
  }
  const { fetchVideo } = ctx.source
  ctx.source = {
    ...ctx.source,
    async fetchVideo(videoId, options) {
      const video = await fetchVideo(videoId, options)
      return {
        ...video,
        fetchTranscript: async (track: CaptionTrack) => ({ ...(await video.fetchTranscript(track)), cues: CUES }),
      }
    },
  }
})
afterEach(async () => {
  await worker.close()
  await provider.close()
})

const addUser = async (monthlyLimitUsd: number | null = null): Promise<string> => {
  const id = randomUUID()
  await worker.ctx.db.prisma.user.create({ data: { id, email: `${id}@example.org`, plan: 'pro', monthlyLimitUsd } })
  return id
}

const counterOf = async (scope: string, id: string) => {
  const row = await worker.ctx.db.prisma.spendingCounter.findFirst({ where: { scope, id } })
  return { used: Number(row?.usedUsd ?? 0), reserved: Number(row?.reservedUsd ?? 0) }
}

/** Returns the sum of the receipts of an account. */
async function sumReceipts(userId: string): Promise<number> {
  const { _sum } = await worker.ctx.db.prisma.usageEntry.aggregate({ where: { userId }, _sum: { costUsd: true } })
  return Number(_sum.costUsd ?? 0)
}

const modesOf = (job: { id: string }) =>
  worker.ctx.db.prisma.jobSummary.findMany({ where: { jobId: job.id }, orderBy: { mode: 'asc' } })
/** Returns the codes of the warnings of a job, but for one that every test video has. */
const codesOf = async (job: { id: string }) =>
  ((await worker.row(job)).warnings as { code: string }[]).flatMap(({ code }) =>
    code === 'INJECTION_SUSPECTED' ? [] : [code],
  )

const run = async (overrides: Parameters<TestWorker['submit']>[0], options: Parameters<TestWorker['submit']>[1]) => {
  const job = await worker.submit({ quota: null, ...overrides }, options)
  await worker.run(job)
  return job
}

test('charges exactly what receipts say, and leaves no reservation', async () => {
  const userId = await addUser(5)
  const job = await run(
    { userId },
    { summary_modes: ['tldr', 'detailed'], generate_infographic: true, max_cost_usd: 1 },
  )
  expect((await worker.row(job)).status).toBe('completed')
  expect(await modesOf(job)).toHaveLength(2)
  const spent = await sumReceipts(userId)
  expect(spent).toBeGreaterThan(0)
  for (const [scope, id] of [
    ['month', userId],
    ['job', job.id],
    ['day', '00000000-0000-0000-0000-000000000000'],
  ] as const) {
    expect(await counterOf(scope, id)).toEqual({ used: spent, reserved: 0 })
  }
})

test('delivers the transcript and names the missing modes if nothing fits', async () => {
  const userId = await addUser()
  const job = await run({ userId }, { summary_modes: ['tldr', 'detailed'], max_cost_usd: 0 })
  const row = await worker.row(job)
  expect(row.status).toBe('completed')
  expect(row.warnings).toEqual([
    expect.objectContaining({ code: 'COST_LIMIT_REACHED', message: expect.stringContaining('`tldr`, `detailed`') }),
  ])
  expect(provider.calls()).toBe(0)
  expect(await sumReceipts(userId)).toBe(0)
})

test('keeps the modes that fit and leaves out the others', async () => {
  const userId = await addUser()
  // One answer of 4,000 tokens fits, one of 16,000 does not.
  const job = await run({ userId }, { summary_modes: ['tldr', 'study_notes'], max_cost_usd: 0.06 })
  expect((await modesOf(job)).map(({ mode }) => mode)).toEqual(['tldr'])
  expect(await codesOf(job)).toEqual(['COST_LIMIT_REACHED'])
})

test('counts all attempts at a job toward its limit', async () => {
  const userId = await addUser()
  provider.decide = () => 'broken'
  const job = await run({ userId }, { summary_modes: ['tldr'], max_cost_usd: 0.06 })
  for (let attempt = 0; attempt < 3; attempt++) {
    await worker.passTime()
    await worker.run(job)
  }
  const { used, reserved } = await counterOf('job', job.id)
  expect(used + reserved).toBeLessThanOrEqual(0.06)
  expect(provider.calls()).toBeLessThanOrEqual(2)
  expect((await worker.row(job)).status).toBe('completed')
  expect(await codesOf(job)).toEqual(['COST_LIMIT_REACHED'])
})

test('writes a summary under its own limits that the job before it may not write', async () => {
  const videoId = 'same-video1'
  const [poor, rich] = [await addUser(0.000001), await addUser()]
  const first = await run({ userId: poor, videoId }, { summary_modes: ['tldr'] })
  const second = await run({ userId: rich, videoId }, { summary_modes: ['tldr'] })
  expect(await codesOf(first)).toEqual(['COST_LIMIT_REACHED'])
  expect(await modesOf(second)).toHaveLength(1)
  expect(await codesOf(second)).toEqual([])
})

test('charges a summary of another account like one of its own, if it fits', async () => {
  const videoId = 'same-video2'
  const [payer, other, poor] = [await addUser(), await addUser(1), await addUser(0.000001)]
  await run({ userId: payer, videoId }, { summary_modes: ['tldr'] })
  const calls = provider.calls()
  await run({ userId: other, videoId }, { summary_modes: ['tldr'] })
  const refused = await run({ userId: poor, videoId }, { summary_modes: ['tldr'] })
  expect(provider.calls()).toBe(calls)
  expect(await counterOf('month', other)).toEqual({ used: await sumReceipts(payer), reserved: 0 })
  expect(await sumReceipts(other)).toBe(await sumReceipts(payer))
  expect(await codesOf(refused)).toEqual(['COST_LIMIT_REACHED'])
  expect(await sumReceipts(poor)).toBe(0)
})

const TEMPLATES = ['quotes', 'chapters'].map((name) => ({ id: null, name, version: 1 }))
const templatesOf = async (job: { id: string }) =>
  (await worker.ctx.db.prisma.jobExtraction.findMany({ where: { jobId: job.id } })).map(({ name }) => name).toSorted()

test('charges what filling templates costs, and leaves no reservation', async () => {
  const userId = await addUser(5)
  const job = await run({ userId }, { summary_modes: [], pinned_templates: TEMPLATES, max_cost_usd: 1 })
  expect(await templatesOf(job)).toEqual(['chapters', 'quotes'])
  const spent = await sumReceipts(userId)
  expect(spent).toBeGreaterThan(0)
  for (const [scope, id] of [
    ['month', userId],
    ['job', job.id],
  ] as const) {
    expect(await counterOf(scope, id)).toEqual({ used: spent, reserved: 0 })
  }
})

test('delivers the transcript and names the missing templates if nothing fits', async () => {
  const userId = await addUser()
  const job = await run({ userId }, { summary_modes: [], pinned_templates: TEMPLATES, max_cost_usd: 0 })
  expect(await worker.row(job)).toMatchObject({
    status: 'completed',
    warnings: [{ code: 'COST_LIMIT_REACHED', message: expect.stringContaining('`quotes`, `chapters`') }],
  })
  expect([provider.calls(), await sumReceipts(userId)]).toEqual([0, 0])
})

test('takes the text of an infographic from the transcript if a model would cost too much', async () => {
  const userId = await addUser(0)
  const job = await run({ userId }, { summary_modes: ['tldr'], generate_infographic: true })
  expect((await worker.row(job)).status).toBe('completed')
  expect(await worker.ctx.db.prisma.infographic.count({ where: { jobId: job.id } })).toBe(1)
  expect(provider.calls()).toBe(0)
})

/** Lets a process lose the database for good, as if it had been killed. */
function openDoomed(): { ctx: TestWorker['ctx']; kill: () => void } {
  const { ctx } = worker
  let isDead = false
  const die = () => Promise.reject(Object.assign(new Error('The process is dead.'), { code: 'ECONNREFUSED' }))
  const db = Object.create(ctx.db, {
    query: { value: (...args: Parameters<typeof ctx.db.query>) => (isDead ? die() : ctx.db.query(...args)) },
    transaction: {
      value: (work: Parameters<typeof ctx.db.transaction>[0]) => (isDead ? die() : ctx.db.transaction(work)),
    },
  }) as typeof ctx.db
  return {
    ctx: { ...ctx, db, work: { ...ctx.work, timeoutMs: 1_500 } },
    kill: () => {
      isDead = true
    },
  }
}

test('never spends more than a limit, whatever the provider says and whoever dies, and receipts add up to it', async () => {
  const LIMIT = 0.3
  const MAX_JOB = 0.1
  const MAX_BATCH = 0.15
  const JOBS = 32
  const userId = await addUser(LIMIT)
  const batchId = randomUUID()
  await worker.ctx.db.prisma.batch.create({
    data: { id: batchId, userId, total: 100, pending: 100, maxCostUsd: MAX_BATCH, createdAt: new Date() },
  })
  worker.ctx.spending = { dailyLimitUsd: 5, patienceMs: 300, countRefused: () => {} }
  const doomed = openDoomed()
  const DEEDS: ProviderDeed[] = ['honest', 'honest', 'more', 'honest', 'none', 'honest', 'failed', 'broken']
  provider.decide = (call) => {
    if (call === 5) doomed.kill()
    return DEEDS[call % DEEDS.length] ?? 'honest'
  }
  const jobs: Job[] = []
  for (let nth = 0; nth < JOBS; nth++) {
    const job = await worker.submit({ userId, quota: null }, { summary_modes: ['tldr'], max_cost_usd: MAX_JOB })
    if (nth % 2)
      await worker.ctx.db.query('UPDATE jobs SET batch_id = $2, batch_index = 0 WHERE id = $1', [job.id, batchId])
    jobs.push(job)
  }
  const queue = jobs.values()
  const work = async (ctx: TestWorker['ctx']): Promise<void> => {
    for (const job of queue) await processJob(ctx, job.id, new AbortController().signal).catch(() => {})
  }
  await Promise.all([work(doomed.ctx), ...Array.from({ length: 7 }, () => work(worker.ctx))])
  // What the dead process had is taken over, and what failed is tried again.
  for (let round = 0; round < 4; round++) {
    await worker.passTime()
    const left = await worker.ctx.db.prisma.job.findMany({
      where: { userId, status: { in: ['queued', 'processing'] } },
    })
    for (const job of left) await worker.run(job).catch(() => {})
  }
  const rows = await worker.ctx.db.prisma.job.findMany({ where: { userId } })
  // A provider that fails three times, or a worker that is too slow, fails the job. A limit never does.
  for (const { status, error } of rows) {
    const { code } = (error ?? {}) as { code?: string }
    if (status !== 'completed') expect(['SUMMARY_UNAVAILABLE', 'PROCESSING_TIMEOUT']).toContain(code)
  }
  const month = await counterOf('month', userId)
  expect(month.used + month.reserved).toBeLessThanOrEqual(LIMIT + 1e-9)
  expect(month.used).toBeGreaterThan(0)
  expect(month.used).toBeCloseTo(await sumReceipts(userId), 9)
  for (const { id } of jobs) {
    const { used, reserved } = await counterOf('job', id)
    expect(used + reserved).toBeLessThanOrEqual(MAX_JOB)
  }
  const batch = await counterOf('batch', batchId)
  expect(batch.used + batch.reserved).toBeLessThanOrEqual(MAX_BATCH + 1e-9)
  const { input, output } = provider.countTokens()
  expect(input * INPUT_PRICE + output * OUTPUT_PRICE).toBeLessThanOrEqual(LIMIT)
  const refused = rows.filter(({ warnings }) => JSON.stringify(warnings).includes('COST_LIMIT_REACHED'))
  expect(refused.length).toBeGreaterThan(0)
}, 120_000)
