import { randomUUID } from 'node:crypto'
import { MAX_DERIVED_JOBS, ServiceError, SubmittedJob } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import { purgeOld } from '@subtext/core/retention'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import {
  acceptTestJob,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false' })
let key: string
beforeAll(async () => {
  key = await api.createKey()
})

const derive = (jobId: string, body: object = { summary_modes: ['detailed'] }, as = key) =>
  supertest(api.app).post(`/api/v1/videos/derive/${jobId}`).set('X-API-Key', as).send(body)
const get = (path: string, as = key) => supertest(api.app).get(`/api/v1${path}`).set('X-API-Key', as)

/** Creates a completed job, which has the summary `tldr`. */
async function complete(as = key, overrides: Parameters<typeof acceptTestJob>[2] = {}): Promise<string> {
  const jobId = await acceptTestJob(api.context, as, { id: newId(), ...overrides })
  await completeTestJob(api.context, jobId)
  return jobId
}
/** Creates a completed job without summaries. */
async function completeTranscript(as = key, overrides: Parameters<typeof acceptTestJob>[2] = {}): Promise<string> {
  const summaryless = { id: newId(), options: options({ summary_modes: [] }), ...overrides }
  const jobId = await acceptTestJob(api.context, as, summaryless)
  const lease = await claimTestJob(api.context, jobId)
  await endTestJob(api.context, lease, await saveTestTranscript(api.context))
  return jobId
}
const row = (id: string) => api.context.db.prisma.job.findUniqueOrThrow({ where: { id } })
const summariesOf = async (jobId: string) =>
  (await api.context.db.prisma.jobSummary.findMany({ where: { jobId } })).map(({ mode, reused }) => ({ mode, reused }))
const quotaOf = async (as: string) => (await get('/usage/current', as)).body.data.quotas.daily.used
const options = (more: Partial<Job['options']> = {}): Job['options'] => ({
  summary_modes: ['tldr'],
  max_transcript_length: 500,
  include_comments: false,
  generate_infographic: false,
  ...more,
})

describe('POST /videos/derive/{job_id}', () => {
  test('accepts a job that names its source, with what the source has, and uses no video of the quota', async () => {
    const own = await api.createKey()
    const source = await complete(own, { clientReference: 'ref', priority: 'high', lane: 'high', options: options() })
    const { status, body, headers } = await derive(source, { summary_modes: ['detailed', 'detailed'] }, own)
    expect(status).toBe(202)
    expect(SubmittedJob.strict().parse(body.data)).toMatchObject({
      status: 'queued',
      derived_from: source,
      video_id: 'dQw4w9WgXcQ',
      priority: 'normal',
      client_reference: 'ref',
    })
    const { job_id: jobId } = body.data
    expect(headers.location).toBe(`/api/v1/videos/status/${jobId}`)
    expect(await row(jobId)).toMatchObject({
      status: 'queued',
      videoTitle: 'Rivers & the sea',
      quotaDay: null,
      customInstructions: null,
      options: options({ summary_modes: ['detailed'] }),
    })
    expect(await summariesOf(jobId)).toEqual([{ mode: 'tldr', reused: true }])
    expect((await get(`/videos/status/${jobId}`, own)).body.data).toMatchObject({ derived_from: source })
    const { jobs, pagination } = (await get('/videos/', own)).body.data
    expect([jobs.map((job: { job_id: string }) => job.job_id), pagination.total]).toEqual([[jobId, source], 2])
    expect(await quotaOf(own)).toBe(0)
  })

  test('adds the first summaries to a transcript, with the instructions that it was submitted with', async () => {
    const source = await completeTranscript(key, { customInstructions: 'costs only' })
    expect((await get(`/videos/result/${source}`)).body.data.summaries).toEqual({})
    const { job_id: jobId } = (await derive(source)).body.data
    expect((await row(jobId)).customInstructions).toBe('costs only')
    await completeTestJob(api.context, jobId, { mode: 'detailed' })
    expect(Object.keys((await get(`/videos/result/${jobId}`)).body.data.summaries)).toEqual(['detailed'])
  })

  test('adds what the source has and what is added, in the result of a worker', async () => {
    const source = await complete()
    const { job_id: jobId } = (await derive(source)).body.data
    await completeTestJob(api.context, jobId, { mode: 'detailed' })
    const { summaries } = (await get(`/videos/result/${jobId}`)).body.data
    expect(Object.keys(summaries)).toEqual(['tldr', 'detailed'])
    expect(Object.keys((await get(`/videos/result/${source}`)).body.data.summaries)).toEqual(['tldr'])
  })

  test.each([
    ['takes instructions and language from the source', { summary_modes: ['detailed'] }, ['detailed'], 'x', 'de'],
    ['can drop both', { custom_instructions: null, output_language: null }, ['tldr', 'detailed'], null, undefined],
    ['repeats all modes with new instructions', { custom_instructions: ' y ' }, ['tldr', 'detailed'], 'y', 'de'],
    ['repeats all modes in a new language', { output_language: 'pt-br' }, ['tldr', 'detailed'], 'x', 'pt-BR'],
    ['adds no summary to an infographic', { generate_infographic: true }, [], 'x', 'de'],
  ])('%s', async (_, body, modes, instructions, language) => {
    const source = await complete(key, {
      options: options({ summary_modes: ['detailed'], output_language: 'de' }),
      customInstructions: 'x',
    })
    const job = await row((await derive(source, body)).body.data.job_id)
    const { output_language, ...rest } = job.options as unknown as Job['options']
    expect([job.customInstructions, output_language]).toEqual([instructions, language])
    expect(rest).toMatchObject({ summary_modes: modes, max_transcript_length: 500 })
    expect(await summariesOf(job.id)).toEqual(
      (modes as string[]).includes('tldr') ? [] : [{ mode: 'tldr', reused: true }],
    )
  })

  test('creates one job for requests with the same idempotency key, even at once', async () => {
    const source = await complete()
    const send = () => derive(source).set('Idempotency-Key', 'once')
    const responses = await Promise.all(Array.from({ length: 5 }, send))
    responses.push(await send())
    const accepted = responses.filter(({ status }) => status === 202)
    expect(new Set(accepted.map(({ body }) => body.data.job_id)).size).toBe(1)
    expect(responses.at(-1)?.headers['idempotent-replayed']).toBe('true')
    for (const refused of responses.filter(({ status }) => status !== 202)) {
      expect(refused).toBeRefused(409, 'IDEMPOTENCY_IN_PROGRESS')
    }
    expect(await api.context.db.prisma.job.count({ where: { derivedFrom: source } })).toBe(1)
    const other = await derive(source, { summary_modes: ['tldr'] }).set('Idempotency-Key', 'once')
    expect(other).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a derivation is refused', () => {
  test.each([
    ['nothing to add', {}, ''],
    ['no infographic', { generate_infographic: false }, ''],
    ['an unknown field', { modes: ['tldr'] }, 'modes'],
    ['a field of a submission', { summary_modes: ['tldr'], force_refresh: true }, 'force_refresh'],
    ['an empty list of modes', { summary_modes: [] }, 'summary_modes'],
    ['an unknown mode', { summary_modes: ['short'] }, 'summary_modes.0'],
    ['instructions that are blank', { custom_instructions: ' ' }, 'custom_instructions'],
    ['an invalid language', { output_language: 'not a tag' }, 'output_language'],
    ['a webhook to a private address', { summary_modes: ['tldr'], webhook_url: 'http://127.0.0.1/' }, 'webhook_url'],
  ])('for %s', async (_, body, path) => {
    const source = await complete()
    expect(await derive(source, body)).toBeRefused(400, 'VALIDATION_ERROR', path)
    expect(await api.context.db.prisma.job.count({ where: { derivedFrom: source } })).toBe(0)
  })

  test.each([
    ['a picture', { generate_infographic: true }],
    ['another language', { output_language: 'de' }],
    ['instructions', { custom_instructions: 'costs' }],
  ])('for %s alone, if the source is a transcript without summaries', async (_, body) => {
    const source = await completeTranscript()
    expect(await derive(source, body)).toBeRefused(400, 'VALIDATION_ERROR', 'summary_modes')
    const { job_id: jobId } = (await derive(source, { ...body, summary_modes: ['tldr'] })).body.data
    expect((await row(jobId)).options).toMatchObject({ summary_modes: ['tldr'] })
  })

  test("for another account's job, an unknown one and a malformed ID alike", async () => {
    const others = await complete(await api.createKey())
    for (const id of [others, randomUUID(), 'x', '%00', "'; DROP TABLE jobs"]) {
      expect(await derive(encodeURIComponent(id))).toBeRefused(404, 'NOT_FOUND')
    }
  })

  test('for a source that has not ended, and for one that failed, with its own error', async () => {
    const waiting = await acceptTestJob(api.context, key)
    const unfinished = await derive(waiting)
    expect(unfinished).toBeRefused(409, 'JOB_NOT_COMPLETED')
    expect(unfinished.body.error.details).toEqual({ status: 'queued', progress_percentage: 0 })
    expect(unfinished.headers['retry-after']).toMatch(/^\d+$/)
    await failTestJob(api.context, waiting, new ServiceError('GEO_BLOCKED', { message: 'Not here.' }))
    const failed = await derive(waiting)
    expect(failed).toBeRefused(422, 'GEO_BLOCKED')
    expect(failed.body.error.message).toBe('Not here.')
  })

  test('for what the plan does not include, naming the fields of this request', async () => {
    const email = 'mover@example.org'
    const own = await api.createKey({ email })
    const source = await complete(own, { customInstructions: 'x' })
    await api.createKey({ email, plan: 'free' })
    const body = { summary_modes: ['detailed'], generate_infographic: true, webhook_url: 'http://127.0.0.1/' }
    const response = await derive(source, body, own)
    expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    const fields = response.body.error.details.violations.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['summary_modes', 'webhook_url', 'custom_instructions', 'generate_infographic'])
    expect((await derive(source, { summary_modes: ['tldr'], custom_instructions: null }, own)).status).toBe(202)
  })

  test('with a key that may only read', async () => {
    const email = 'reader@example.org'
    const source = await complete(await api.createKey({ email }))
    const response = await derive(source, undefined, await api.createKey({ email, scopes: ['read'] }))
    expect(response).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  })
})

describe('the limit on derived jobs', () => {
  const countOf = (status: number, responses: { status: number }[]) =>
    responses.filter((response) => response.status === status).length

  test('holds when more requests than it allows arrive at once, and for jobs derived from derived ones', async () => {
    const source = await complete()
    const responses = await Promise.all(Array.from({ length: MAX_DERIVED_JOBS + 1 }, () => derive(source)))
    expect([countOf(202, responses), countOf(429, responses)]).toEqual([MAX_DERIVED_JOBS, 1])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused?.headers['retry-after']).toMatch(/^\d+$/)
    expect(refused?.body.error).toMatchObject({
      retryable: false,
      details: { quota: 'derive', limit: MAX_DERIVED_JOBS, used: MAX_DERIVED_JOBS, reset_at: null },
    })
    const derived = responses.find(({ status }) => status === 202)?.body.data.job_id
    await completeTestJob(api.context, derived, { mode: 'detailed' })
    expect(await derive(derived)).toBeRefused(429, 'QUOTA_EXCEEDED')
  })

  test('does not count jobs that failed without cost, but counts those cancelled after a summary was written', async () => {
    const source = await complete()
    const accepted = await Promise.all(Array.from({ length: MAX_DERIVED_JOBS }, () => derive(source)))
    const [free, paid] = accepted.map(({ body }) => body.data.job_id) as [string, string]
    const lease = await claimTestJob(api.context, paid)
    const transcriptId = await saveTestTranscript(api.context)
    await addTestSummary(api.context, lease.jobId, transcriptId, 'detailed')
    for (const id of [free, paid]) await supertest(api.app).post(`/api/v1/videos/cancel/${id}`).set('X-API-Key', key)
    expect([(await derive(source)).status, (await derive(source)).status]).toEqual([202, 429])
  })
})

describe('retention', () => {
  const day = 86_400_000
  const purge = () =>
    purgeOld(
      { db: api.context.db, clock: () => new Date(Date.now() + 3 * day) },
      { resultsDays: 1, cacheDays: 1, webhooksDays: 1 },
      new AbortController().signal,
    )

  test('keeps a source until the jobs that add to it have ended, which then stand alone', async () => {
    const own = await api.createKey()
    const source = await complete(own)
    const { job_id: jobId } = (await derive(source, undefined, own)).body.data
    await purge()
    expect((await get(`/videos/result/${source}`, own)).status).toBe(200)
    await completeTestJob(api.context, jobId, { mode: 'detailed' })
    await api.context.db.query(`UPDATE jobs SET completed_at = now() + interval '9 days' WHERE id = $1`, [jobId])
    await purge()
    expect(await get(`/videos/result/${source}`, own)).toBeRefused(404, 'NOT_FOUND')
    const { body } = await get(`/videos/result/${jobId}`, own)
    expect(Object.keys(body.data.summaries)).toEqual(['tldr', 'detailed'])
    expect((await get(`/videos/status/${jobId}`, own)).body.data.derived_from).toBe(source)
  })

  test('never leaves a derived job without its source, however the two race', async () => {
    const own = await api.createKey()
    for (let time = 0; time < 8; time++) {
      const source = await complete(own)
      const [derived] = await Promise.all([derive(source, undefined, own), purge()])
      const kept = await api.context.db.prisma.job.count({ where: { id: source } })
      if (derived.status === 202) expect(kept).toBe(1)
      else {
        expect(derived).toBeRefused(404, 'NOT_FOUND')
        expect(kept).toBe(0)
      }
    }
  })
})
