import { randomUUID } from 'node:crypto'
import { BatchEstimate, VideoEstimate, VideoOptions } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { saveTranscript, saveVideo } from '@subtext/core/transcripts'
import { createMetrics } from '@subtext/runtime'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { createContext } from '../context.ts'
import { ApiEnv } from '../env.ts'
import { createApiMetrics } from '../metrics.ts'
import { useTestApi } from '../testing/api.ts'
import { MODEL, newVideoId, storeSummary, storeTranscript, urlOf } from '../testing/estimates.ts'
import { acceptTestJob, CUES, claimTestJob, completeTestJob, endTestJob, TRACK } from '../testing/jobs.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false', ANTHROPIC_API_KEY: 'key of nobody', SUMMARY_MODEL: MODEL })
let key: string
beforeEach(async () => {
  key = await api.createKey()
})

const send = (path: string, body: object, as = key) =>
  supertest(api.app).post(`/api/v1${path}`).set('X-API-Key', as).send(body)
const estimate = (body: object, as = key) => send('/videos/estimate', body, as)
const estimateBatch = (body: object, as = key) => send('/batch/estimate', body, as)

const count = async () => {
  const tables = ['jobs', 'batches', 'quota_entries', 'quota_usage', 'idempotency_keys', 'videos', 'leases']
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  return (await api.context.db.query(`SELECT ${counts.join(', ')}`)).rows[0]
}

describe('POST /videos/estimate', () => {
  test('estimates a video about which nothing is known, without any effect', async () => {
    const before = await count()
    const { status, body } = await estimate({ url: urlOf(newVideoId()) })
    expect(status).toBe(200)
    const { cost_usd: cost, ...data } = VideoEstimate.strict().parse(body.data)
    expect(data).toMatchObject({
      would_accept: true,
      violations: [],
      quota: { uses: 1, daily_remaining: 30, monthly_remaining: 200 },
      cached: { transcript: false, modes: [] },
      basis: 'typical',
    })
    expect(cost.low).toBeGreaterThan(0)
    expect(cost.expected).toBeGreaterThan(cost.low)
    expect(cost.high).toBeGreaterThan(cost.expected)
    expect(await count()).toEqual(before)
  })

  test('narrows the range with the length of the video, and further with its captions', async () => {
    const id = newVideoId()
    const body = { url: urlOf(id), options: { summary_modes: ['detailed'] } }
    const typical: VideoEstimate = (await estimate(body)).body.data
    await saveVideo(api.context.db, { info: { ...newVideoInfo(id), duration_seconds: 9_000 }, tracks: [TRACK] })
    const byDuration: VideoEstimate = (await estimate(body)).body.data
    await storeTranscript(api.context, id)
    const byTranscript: VideoEstimate = (await estimate(body)).body.data
    expect([typical, byDuration, byTranscript].map(({ basis }) => basis)).toEqual(['typical', 'duration', 'transcript'])
    const widths = [typical, byDuration, byTranscript].map(({ cost_usd: { high, low } }) => high / low)
    expect(widths).toEqual([...widths].sort((a, b) => b - a))
    expect(byTranscript.cached).toEqual({ transcript: true, modes: [] })
    expect(byTranscript.seconds).toBeLessThanOrEqual(byDuration.seconds)
  })

  test('knows the summaries that only the account itself may reuse', async () => {
    const id = newVideoId()
    const transcriptId = await storeTranscript(api.context, id)
    const { rows } = await api.context.db.query<{ userId: string }>(
      'SELECT user_id AS "userId" FROM jobs WHERE id = $1',
      [await acceptTestJob(api.context, key)],
    )
    await storeSummary(api.context, key, { transcriptId, mode: 'tldr', cueCount: 3_000, account: rows[0]?.userId })
    const body = { url: urlOf(id), options: { summary_modes: ['tldr'] } }
    expect((await estimate(body)).body.data.cached.modes).toEqual(['tldr'])
    expect((await estimate(body, await api.createKey())).body.data.cached.modes).toEqual([])
  })

  test('charges nothing for summaries of the same account, and the full price for those of another account', async () => {
    const id = newVideoId()
    const transcriptId = await storeTranscript(api.context, id)
    const body = { url: urlOf(id), options: { summary_modes: ['tldr', 'detailed'] } }
    const fresh: VideoEstimate = (await estimate(body)).body.data
    await storeSummary(api.context, await api.createKey(), { transcriptId, mode: 'detailed', cueCount: 3_000 })
    expect((await estimate(body)).body.data).toMatchObject({ cached: fresh.cached, cost_usd: fresh.cost_usd })
    await storeSummary(api.context, key, { transcriptId, mode: 'tldr', cueCount: 3_000 })
    const partly: VideoEstimate = (await estimate(body)).body.data
    expect(partly.cached.modes).toEqual(['tldr'])
    expect(partly.cost_usd.expected).toBeLessThan(fresh.cost_usd.expected)
    const whole = { url: urlOf(id), options: { summary_modes: ['tldr'] } }
    expect((await estimate(whole)).body.data).toMatchObject({
      cached: { transcript: true, modes: ['tldr'] },
      cost_usd: { low: 0, expected: 0, high: 0 },
      tokens: { input: 0, output: 0 },
    })
    for (const change of [
      { custom_instructions: 'Money.' },
      { options: { summary_modes: ['tldr'], output_language: 'de' } },
    ]) {
      expect((await estimate({ ...whole, ...change })).body.data.cached).toEqual({ transcript: true, modes: [] })
    }
    const refreshed = (await estimate({ ...whole, force_refresh: true })).body.data
    expect(refreshed).toMatchObject({ cached: { transcript: false, modes: [] }, basis: 'transcript' })
    expect(refreshed.cost_usd.low).toBeGreaterThan(0)
  })

  test('counts only the captions that the job would use', async () => {
    const id = newVideoId()
    await storeTranscript(api.context, id)
    const asked = async (language: string) => (await estimate({ url: urlOf(id), options: { language } })).body.data
    expect(await asked('en-GB')).toMatchObject({ cached: { transcript: true }, basis: 'transcript' })
    // The platform may have German captions, of which nothing is known.
    expect(await asked('de')).toMatchObject({ cached: { transcript: false }, basis: 'typical' })
    await saveVideo(api.context.db, { info: newVideoInfo(id), tracks: [TRACK] })
    expect(await asked('de')).toMatchObject({ cached: { transcript: true }, basis: 'transcript' })
  })

  test('takes into account that the transcript is cut', async () => {
    const id = newVideoId()
    await storeTranscript(api.context, id)
    const costOf = async (max_transcript_length: number): Promise<VideoEstimate['cost_usd']> =>
      (await estimate({ url: urlOf(id), options: { max_transcript_length } })).body.data.cost_usd
    expect((await costOf(10_000)).high).toBeLessThan((await costOf(10_000_000)).low)
  })

  test('finds summaries of a transcript that was cut in the same way', async () => {
    const id = newVideoId()
    const jobId = await acceptTestJob(api.context, key, {
      options: { ...VideoOptions.parse({}), max_transcript_length: 20 },
      videoId: id,
    })
    const lease = await claimTestJob(api.context, jobId)
    const { id: transcriptId } = await saveTranscript(api.context.db, {
      id: randomUUID(),
      videoId: id,
      track: TRACK,
      cues: CUES,
    })
    await endTestJob(api.context, lease, transcriptId, { cueCount: 1 })
    await storeSummary(api.context, key, { transcriptId, mode: 'tldr', cueCount: 1 })
    const modesOf = async (max_transcript_length: number) =>
      (await estimate({ url: urlOf(id), options: { max_transcript_length } })).body.data.cached.modes
    expect([await modesOf(20), await modesOf(21), await modesOf(10_000_000)]).toEqual([['tldr'], [], []])
  })

  test('costs nothing without a language model', async () => {
    await api.withEnv({ SUMMARIZER: 'extractive' }, async (app) => {
      const { body } = await supertest(app)
        .post('/api/v1/videos/estimate')
        .set('X-API-Key', key)
        .send({ url: urlOf(newVideoId()) })
      expect(body.data).toMatchObject({ cost_usd: { low: 0, expected: 0, high: 0 }, tokens: { input: 0, output: 0 } })
    })
  })

  test('are counted by their verdict, and so are the jobs that add to others', async () => {
    const registry = createMetrics()
    const measured = createContext(ApiEnv.parse(api.settings), { metrics: createApiMetrics(registry) })
    api.onClose(measured.close)
    const app = createApp(measured.context)
    const send = (path: string, body: object, as = key) =>
      supertest(app).post(`/api/v1${path}`).set('X-API-Key', as).send(body)
    await send('/videos/estimate', { url: urlOf(newVideoId()) })
    const plus = await api.createKey({ plan: 'plus' })
    await send('/batch/estimate', { videos: [{ url: urlOf(newVideoId()) }] }, plus)
    const jobId = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, jobId)
    expect((await send(`/videos/derive/${jobId}`, { summary_modes: ['detailed'] })).status).toBe(202)
    const text = await registry.render()
    expect(text).toContain('subtext_estimates_total{verdict="would_accept",basis="typical"} 1')
    expect(text).toContain('subtext_estimates_total{verdict="would_refuse",basis="typical"} 1')
    expect(text).toContain('subtext_jobs_derived_total 1')
  })

  test('accepts older names of fields', async () => {
    const { body, headers } = await estimate({ video_url: urlOf(newVideoId()), summary_mode: 'detailed' })
    expect([body.data.would_accept, headers.deprecation]).toEqual([true, expect.stringMatching(/^@/)])
  })

  test.each([
    ['a URL that is no video', { url: 'https://example.org/' }, 'INVALID_VIDEO_URL', 'url'],
    ['an unknown field', { url: urlOf('dQw4w9WgXcQ'), modes: [] }, 'VALIDATION_ERROR', 'modes'],
    [
      'a webhook to a private address',
      { url: urlOf('dQw4w9WgXcQ'), webhook_url: 'http://10.0.0.1/' },
      'VALIDATION_ERROR',
      'webhook_url',
    ],
    ['a proxy where there is none', { url: urlOf('dQw4w9WgXcQ'), use_proxy: true }, 'VALIDATION_ERROR', 'use_proxy'],
  ] as const)('refuses %s as a submission does', async (_, body, code, path) => {
    expect(await estimate(body)).toBeRefused(400, code, path)
    expect(await send('/videos/process', body)).toBeRefused(400, code, path)
  })

  test('requires the scope of a submission', async () => {
    const reader = await api.createKey({ scopes: ['read'] })
    expect(await estimate({ url: urlOf('dQw4w9WgXcQ') }, reader)).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  })
})

describe('POST /batch/estimate', () => {
  test('adds up its videos, and charges what they share once', async () => {
    const [known, unknown] = [newVideoId(), newVideoId()]
    await storeTranscript(api.context, known)
    const entry = (id: string) => ({ url: urlOf(id), options: { summary_modes: ['tldr', 'detailed'] } })
    const { body } = await estimateBatch({ videos: [entry(known), entry(unknown), entry(known)] })
    const data = BatchEstimate.strict().parse(body.data)
    expect(data).toMatchObject({
      would_accept: true,
      quota: { uses: 3, daily_remaining: 30 },
      cached: { transcript: false, modes: [] },
      basis: 'typical',
    })
    expect(data.videos.map(({ index, video_id, basis }) => [index, video_id, basis])).toEqual([
      [0, known, 'transcript'],
      [1, unknown, 'typical'],
      [2, known, 'transcript'],
    ])
    expect(data.videos[2]?.cost_usd).toEqual({ low: 0, expected: 0, high: 0 })
    const alone = await Promise.all([known, unknown].map(async (id) => (await estimate(entry(id))).body.data))
    expect(data.cost_usd.expected).toBeCloseTo(
      alone.reduce((sum, { cost_usd }) => sum + cost_usd.expected, 0),
      5,
    )
  })

  test('says what the quota lacks, and refuses what a batch may not contain', async () => {
    const videos = Array.from({ length: 31 }, () => ({ url: urlOf('dQw4w9WgXcQ') }))
    const { body } = await estimateBatch({ videos })
    expect(body.data).toMatchObject({
      would_accept: false,
      violations: [{ code: 'QUOTA_EXCEEDED', quota: 'daily', limit: 30, used: 0 }],
      quota: { uses: 31 },
    })
    const plus = await api.createKey({ plan: 'plus' })
    const refused = (await estimateBatch({ videos: [{ url: urlOf('dQw4w9WgXcQ') }, { url: 'x' }] }, plus)).body.data
    expect(refused.violations).toMatchObject([
      { code: 'PLAN_UPGRADE_REQUIRED', feature: 'batches', required_plan: 'pro' },
    ])
    expect(await estimateBatch({ videos: [{ url: 'x' }] })).toBeRefused(400, 'VALIDATION_ERROR', 'videos.0.url')
    expect(await estimateBatch({ videos: [] })).toBeRefused(400, 'VALIDATION_ERROR', 'videos')
  })

  test('takes the older form', async () => {
    const { body } = await estimateBatch({ jobs: [{ video_url: urlOf(newVideoId()), custom_instructions: 'x' }] })
    expect(body.data).toMatchObject({ would_accept: true, quota: { uses: 1 } })
  })
})
