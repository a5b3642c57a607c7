import { type Job, SUMMARY_MODES } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const SOON_MS = 3_000
let system: TestSystem
let client: Client

beforeAll(async () => {
  system = await startTestSystem({ ownPostgres: true, settings: { JOB_LEASE_SECONDS: '15' } })
  client = await system.createClient({ plan: 'pro', scopes: ['admin'] })
})
afterAll(() => system.close())

const request = { url: watchUrl(SAMPLE_TALKS.english.id), options: { summary_modes: SUMMARY_MODES } }
const countJobs = async () => (await system.rows<{ jobs: number }>('SELECT count(*)::int AS jobs FROM jobs'))[0]?.jobs
const untilServing = () =>
  waitUntil('the API is ready again', async () => (await fetch(`${system.baseUrl}/health/ready`)).ok)

test('while it is away, requests are refused soon, as a passing fault, and nothing is accepted', async () => {
  const { id } = SAMPLE_TALKS.korean
  system.platform.delay({ kind: 'timedtext', videoId: id, ms: 4_000 })
  const unfinished = await client.submit({ url: watchUrl(id), webhook_url: `${system.receiver.origin}/hook` })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })

  await system.postgres.crash()
  const paths = [() => client.trySubmit(request), () => client.get<Job>(`/videos/status/${unfinished}`)]
  for (const call of [...paths, ...paths]) {
    const began = performance.now()
    const { status, error, headers } = await call()
    expect(performance.now() - began).toBeLessThan(SOON_MS)
    expect([status, error.code, error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(error.message + JSON.stringify(error.details ?? {})).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i)
  }
  const health = await fetch(`${system.baseUrl}/health/ready`)
  expect([health.status, await health.json()]).toEqual([503, { status: 'unavailable', away: ['postgres'] }])
  expect((await fetch(`${system.baseUrl}/health/live`)).status).toBe(200)

  await system.postgres.start()
  await untilServing()
  expect(await countJobs()).toBe(1)
  expect((await client.follow(unfinished)).status).toBe('completed')
  await system.receiver.waitFor(({ body }) => body.includes(unfinished))
  expect(await findViolations(system)).toEqual({})
})

test('crashes among submissions: what was accepted is there and gets done', async () => {
  let answered = 0
  const submissions = Array.from({ length: 60 }, async (_, nth) => {
    await waitUntil('its turn', () => nth < 20 || answered >= nth - 20)
    const answer = await client.trySubmit(request)
    answered++
    return answer
  })
  await waitUntil('some are answered', () => answered >= 15)
  await system.postgres.crash()
  const answers = await Promise.all(submissions)
  await system.postgres.start()
  await untilServing()

  const accepted = answers.filter(({ status }) => status === 202)
  const refused = answers.filter(({ status }) => status !== 202)
  expect(accepted.length).toBeGreaterThanOrEqual(15)
  expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(['SERVICE_UNAVAILABLE']))
  for (const { data } of accepted) expect((await client.follow(data.job_id)).status).toBe('completed')
  await waitUntil('jobs whose acceptance could not be told are done too', async () => {
    const open = await system.rows("SELECT id FROM jobs WHERE status NOT IN ('completed', 'failed')")
    return open.length === 0
  })
  expect(await findViolations(system)).toEqual({})
})
