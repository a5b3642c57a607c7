import { type FormSchema, JobCompletedEvent, ServiceError } from '@subtext/contracts'
import type { Job, NewJob } from '@subtext/core/jobs'
import { listExtractions } from '@subtext/core/templates'
import type { ExtractionOutcome, TemplateToFill } from '@subtext/summarize'
import { v7 as newId } from 'uuid'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

const SCHEMA: FormSchema = { type: 'object', properties: { topic: { type: 'string' } } }
const USAGE = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.004 }
const CONTENT = {
  data: { topic: 'one' },
  evidence: { '/topic': [{ segmentId: 1, startMs: 0, quote: 'one' }] },
  unsupported: [],
  model: 'stub-model',
}

let worker: TestWorker
let filled: TemplateToFill[]
let answer: () => ExtractionOutcome
beforeEach(async () => {
  worker = await openTestWorker()
  filled = []
  answer = () => ({ content: CONTENT })
  worker.ctx.extractor = {
    model: 'stub-model',
    version: '1',
    async extract(_source, template, { onSpending }) {
      filled.push(template)
      await onSpending({ purpose: 'extraction', mode: null, model: 'stub-model', usage: USAGE })
      return answer()
    },
  }
})
afterEach(() => worker.close())

const submit = (options: Partial<Job['options']>, overrides: Partial<Omit<NewJob, 'options'>> = {}): Promise<Job> =>
  worker.submit({ quota: null, ...overrides }, options)
const run = async (options: Partial<Job['options']>, overrides: Partial<Omit<NewJob, 'options'>> = {}) => {
  const job = await submit(options, overrides)
  await worker.run(job)
  return job
}
const QUOTES = { id: null, name: 'quotes', version: 1 }
const warningsOf = async (job: Job) => ((await worker.row(job)).warnings as { code: string }[]).map(({ code }) => code)
const costOf = async ({ id }: Job) =>
  Number((await worker.ctx.db.prisma.usageEntry.findFirstOrThrow({ where: { jobId: id } })).costUsd)

async function createTemplate(userId: string, id = newId()): Promise<string> {
  const now = new Date()
  await worker.ctx.db.prisma.user.create({ data: { id: userId, email: `${userId}@example.org` } })
  await worker.ctx.db.prisma.template.create({ data: { id, userId, name: 'own', createdAt: now } })
  for (const version of [1, 2]) {
    const stored = {
      templateId: id,
      version,
      instructions: `look ${version}`,
      schema: SCHEMA as object,
      createdAt: now,
    }
    await worker.ctx.db.prisma.templateVersion.create({ data: stored })
  }
  return id
}

test('fills the templates of a job, also without summaries, and adds them to the event and the cost', async () => {
  const job = await run({ summary_modes: [], pinned_templates: [QUOTES] }, { webhookUrl: 'https://example.org/hook' })
  expect(await worker.row(job)).toMatchObject({ status: 'completed', warnings: [] })
  expect(filled).toMatchObject([{ name: 'quotes', isBuiltIn: true, instructions: null }])
  expect(await listExtractions(worker.ctx.db, job.id)).toMatchObject([{ template: 'quotes', version: 1, ...CONTENT }])
  const stored = await worker.ctx.db.prisma.webhookEvent.findFirstOrThrow({ where: { subjectId: job.id } })
  const { data } = JobCompletedEvent.parse(JSON.parse(Buffer.from(stored.body).toString('utf8')))
  expect(data.extractions?.quotes).toMatchObject({ data: CONTENT.data, evidence: { '/topic': [{ segment_id: 1 }] } })
  expect([await costOf(job), data.usage.cost_usd]).toEqual([0.004, 0.004])
})

test('uses the version to which the job is bound, even of a template that was deleted since', async () => {
  const job = await submit({ summary_modes: [] })
  const id = await createTemplate(job.userId)
  const pinned = [{ id, name: 'own', version: 1 }]
  await worker.ctx.db.prisma.job.update({
    where: { id: job.id },
    data: { options: { ...job.options, pinned_templates: pinned } as object },
  })
  await worker.ctx.db.prisma.template.update({ where: { id }, data: { deletedAt: new Date() } })
  await worker.run(job)
  expect(filled).toMatchObject([{ name: 'own', isBuiltIn: false, instructions: 'look 1', schema: SCHEMA }])
})

test('reuses what an earlier job of the account got, and nothing of another account', async () => {
  const videoId = 'video-of-two'
  const first = await run({ pinned_templates: [QUOTES] }, { videoId })
  const second = await run({ pinned_templates: [QUOTES] }, { videoId, userId: first.userId })
  expect([filled.length, await costOf(second)]).toEqual([1, 0])
  expect(await listExtractions(worker.ctx.db, second.id)).toHaveLength(1)
  await run({ pinned_templates: [QUOTES] }, { videoId })
  expect(filled).toHaveLength(2)
  await run({ pinned_templates: [QUOTES] }, { videoId, userId: first.userId, forceRefresh: true })
  await run({ pinned_templates: [QUOTES] }, { videoId, userId: first.userId, customInstructions: 'x' })
  expect(filled).toHaveLength(4)
})

test.each([
  ['model-required', 'MODEL_REQUIRED'],
  ['invalid', 'EXTRACTION_INVALID'],
] as const)('completes with a warning if a template is %s', async (missing, code) => {
  answer = () => ({ missing, error: null })
  const job = await run({ summary_modes: [], pinned_templates: [QUOTES] })
  expect((await worker.row(job)).status).toBe('completed')
  expect(await warningsOf(job)).toEqual([code])
})

const away = () => new ServiceError('SUMMARY_UNAVAILABLE')

test('tries again while the model is away, without paying for a summary again', async () => {
  answer = () => (filled.length < 2 ? { missing: 'unavailable', error: away() } : { content: CONTENT })
  const job = await submit({ pinned_templates: [QUOTES] })
  await worker.run(job)
  expect((await worker.row(job)).status).toBe('processing')
  await worker.run(job)
  expect((await worker.row(job)).status).toBe('completed')
  expect([worker.stubs.summaries, filled.length]).toEqual([['tldr'], 2])
})

test('delivers a result without a template that the model did not fill, and fails only if nothing was made', async () => {
  answer = () => ({ missing: 'unusable', error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable: true }) })
  const delivered = await run({ pinned_templates: [QUOTES] })
  expect((await worker.row(delivered)).status).toBe('completed')
  expect(await warningsOf(delivered)).toEqual(['SUMMARY_MODE_UNAVAILABLE'])
  answer = () => ({ missing: 'declined', error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false }) })
  const failed = await run({ summary_modes: [], pinned_templates: [QUOTES] })
  expect(await worker.row(failed)).toMatchObject({ status: 'failed', error: { code: 'SUMMARY_UNAVAILABLE' } })
})
