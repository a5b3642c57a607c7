import { randomBytes } from 'node:crypto'
import type { BatchEstimate, SummaryMode, VideoEstimate } from '@subtext/contracts'
import { saveInfographic } from '@subtext/core/infographics'
import { addJobSpending } from '@subtext/core/summaries'
import { buildSample } from '@subtext/documents/testing'
import { buildInfographicKey, INFOGRAPHIC_VERSION } from '@subtext/summarize'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import { MODEL, newVideoId, storeSummary, storeTranscript, urlOf } from '../testing/estimates.ts'
import { acceptTestJob, claimTestJob, endTestJob } from '../testing/jobs.ts'

const CUES = 1_000
const FREE = { low: 0, expected: 0, high: 0 }

const api = useTestApi({ ANTHROPIC_API_KEY: 'key of nobody', SUMMARY_MODEL: MODEL })
let key: string
let videoId: string
let transcriptId: string
beforeEach(async () => {
  key = await api.createKey()
  videoId = newVideoId()
  transcriptId = await storeTranscript(api.context, videoId, CUES)
})

interface Asked {
  modes?: SummaryMode[]
  draws?: boolean
  forceRefresh?: boolean
  app?: typeof api.app
}

async function estimate({ modes = ['tldr'], draws = true, forceRefresh = false, app = api.app }: Asked = {}) {
  const options = { summary_modes: modes, generate_infographic: draws }
  const { body } = await supertest(app)
    .post('/api/v1/videos/estimate')
    .set('X-API-Key', key)
    .send({ url: urlOf(videoId), options, force_refresh: forceRefresh })
  return body.data as VideoEstimate
}

const write = (mode: SummaryMode, apiKey = key) =>
  storeSummary(api.context, apiKey, { transcriptId, mode, cueCount: CUES })

/** Stores an infographic as a job that has these summaries would have had it written. */
async function draw(jobId: string, summaryIds: string[]): Promise<void> {
  const cacheKey = buildInfographicKey({
    version: INFOGRAPHIC_VERSION,
    model: MODEL,
    transcriptId,
    cueCount: CUES,
    instructions: null,
    language: null,
    summaryIds,
  })
  const { content } = buildSample('en')
  const infographic = { jobId, cacheKey, content, altText: 'In words.', linkKey: randomBytes(32) }
  await saveInfographic(api.context.db, infographic, new Date())
}

test('an infographic adds a request to the costs, and is paid for even if all summaries exist', async () => {
  const plain = await estimate({ draws: false })
  const drawn = await estimate()
  for (const scenario of ['low', 'expected', 'high'] as const) {
    expect(drawn.cost_usd[scenario]).toBeGreaterThan(plain.cost_usd[scenario])
  }
  expect(drawn.tokens.input).toBeGreaterThan(plain.tokens.input)
  expect(drawn.tokens.output).toBeGreaterThan(plain.tokens.output)
  await write('tldr')
  const stored = await estimate({ draws: false })
  expect(stored.cost_usd).toEqual(FREE)
  const alone = await estimate()
  expect(alone.seconds).toBeGreaterThan(stored.seconds)
  expect(alone.cached.modes).toEqual(['tldr'])
  expect(alone.cost_usd.low).toBeGreaterThan(0)
  expect(alone.cost_usd.expected).toBeLessThan(drawn.cost_usd.expected)
})

test('an infographic of the account costs nothing again, unless a summary of it is new', async () => {
  const tldr = await write('tldr')
  const detailed = await write('detailed')
  await draw(tldr.jobId, [tldr.id, detailed.id])
  expect(await estimate({ modes: ['detailed', 'tldr'] })).toMatchObject({
    cost_usd: FREE,
    tokens: { input: 0, output: 0 },
  })
  expect((await estimate()).cost_usd.low).toBeGreaterThan(0)
  const { cost_usd } = await estimate({ modes: ['tldr', 'detailed', 'key_insights'] })
  expect(cost_usd.low).toBeGreaterThan(
    (await estimate({ modes: ['tldr', 'detailed', 'key_insights'], draws: false })).cost_usd.low,
  )
  expect((await estimate({ modes: ['tldr', 'detailed'], forceRefresh: true })).cost_usd.low).toBeGreaterThan(0)
})

test('an infographic of another account with the same summary is not known', async () => {
  const { id } = await write('tldr')
  const before = await estimate()
  await draw(await acceptTestJob(api.context, await api.createKey()), [id])
  expect((await estimate()).cost_usd).toEqual(before.cost_usd)
})

test('infographics cost nothing where they are disabled, or where there is no model', async () => {
  await api.withEnv({ INFOGRAPHICS_ENABLED: 'false' }, async (app) => {
    expect((await estimate({ app })).cost_usd).toEqual((await estimate({ app, draws: false })).cost_usd)
  })
  await api.withEnv({ SUMMARIZER: 'extractive' }, async (app) => {
    expect((await estimate({ app })).cost_usd).toEqual(FREE)
  })
})

test('each infographic of a batch is estimated, as they are written at the same time', async () => {
  const video = { url: urlOf(videoId), options: { generate_infographic: true } }
  const { body } = await supertest(api.app)
    .post('/api/v1/batch/estimate')
    .set('X-API-Key', key)
    .send({ videos: [video, video, { url: urlOf(videoId) }] })
  const { videos, cost_usd } = body.data as BatchEstimate
  const alone = await estimate()
  const plain = await estimate({ draws: false })
  expect(videos.map((each) => each.cost_usd.expected)).toEqual([
    alone.cost_usd.expected,
    expect.closeTo(alone.cost_usd.expected - plain.cost_usd.expected, 5),
    0,
  ])
  expect(cost_usd.expected).toBeGreaterThan(alone.cost_usd.expected)
})

test('the output of earlier infographics changes the forecast of the next, and of nothing else', async () => {
  /** Estimates the output with and without an infographic, in a process that has not read earlier usage yet. */
  async function forecastOutput(): Promise<{ drawn: number; plain: number }> {
    const outputs = { drawn: 0, plain: 0 }
    await api.withEnv({}, async (app) => {
      outputs.drawn = (await estimate({ app })).tokens.output
      outputs.plain = (await estimate({ app, draws: false })).tokens.output
    })
    return outputs
  }
  const before = await forecastOutput()
  const jobId = await acceptTestJob(api.context, key, { videoId })
  const usage = { inputTokens: 10, outputTokens: 2_000, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
  for (let time = 0; time < 4; time++) {
    const spending = { id: newId(), jobId, purpose: 'infographic' as const, mode: null, model: MODEL, usage }
    await addJobSpending(api.context.db, spending)
  }
  await endTestJob(api.context, await claimTestJob(api.context, jobId), transcriptId, { cueCount: CUES })
  const after = await forecastOutput()
  expect(after.plain).toBe(before.plain)
  expect(after.drawn).toBeGreaterThan(before.drawn + 500)

  // Those that came with shared summaries are no usage of their own.
  await api.context.db.query(
    `INSERT INTO job_spendings (id, job_id, purpose, model, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
       cost_usd, shared, created_at)
     SELECT gen_random_uuid(), $1, 'infographic', $2, 10, 50, 0, 0, 0.001, true, now() FROM generate_series(1, 400)`,
    [jobId, MODEL],
  )
  expect(await forecastOutput()).toEqual(after)
})
