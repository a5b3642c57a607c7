import { type Job, SUMMARY_MODES } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { useOutageSystem } from './use-outage-system.ts'

const system = useOutageSystem()
const client = useClient(system, { scopes: ['admin'] })

const REQUEST = { url: watchUrl(SAMPLE_TALKS.english.id), options: { summary_modes: SUMMARY_MODES } }

const untilServing = () =>
  waitUntil('the API is ready again', async () => (await fetch(`${system.baseUrl}/health/ready`)).ok)

const countJobs = async () => (await system.rows<{ jobs: number }>('SELECT count(*)::int AS jobs FROM jobs'))[0]?.jobs

test('an outage of Postgres has requests refused as a temporary failure, without waiting, and nothing is accepted', async () => {
  const { id } = system.addCopy(SAMPLE_TALKS.korean)
  const release = system.platform.hold({ kind: 'timedtext', videoId: id })
  const unfinished = await client.submit({ url: watchUrl(id), webhook_url: `${system.receiver.origin}/hook` })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
  const jobs = await countJobs()

  // Requests that waited for Postgres would not be answered before it is started again below.
  await system.postgres.crash()
  const paths = [() => client.trySubmit(REQUEST), () => client.get<Job>(`/videos/status/${unfinished}`)]
  for (const call of [...paths, ...paths]) {
    const { status, error, headers } = await call()
    expect([status, error.code, error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(error.message + JSON.stringify(error.details ?? {})).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i)
  }
  await waitUntil('the API is not ready', async () => !(await fetch(`${system.baseUrl}/health/ready`)).ok)
  const health = await fetch(`${system.baseUrl}/health/ready`)
  expect([health.status, await health.json()]).toEqual([503, { status: 'unavailable', away: ['postgres'] }])
  expect((await fetch(`${system.baseUrl}/health/live`)).status).toBe(200)

  await system.postgres.start()
  await untilServing()
  expect(await countJobs()).toBe(jobs)
  release()
  expect((await client.follow(unfinished)).status).toBe('completed')
  await system.receiver.waitFor(({ body }) => body.includes(unfinished))
  expect(await findViolations(system)).toEqual({})
})

test('an outage of Postgres loses no job that was accepted, when Postgres crashes among submissions', async () => {
  let answered = 0
  const submissions = Array.from({ length: 60 }, async (_, nth) => {
    await waitUntil('its turn', () => nth < 20 || answered >= nth - 20)
    const reply = await client.trySubmit(REQUEST)
    answered++
    return reply
  })
  await waitUntil('some are answered', () => answered >= 15)
  await system.postgres.crash()
  const replies = await Promise.all(submissions)
  await system.postgres.start()
  await untilServing()

  const accepted = replies.filter(({ status }) => status === 202)
  const refused = replies.filter(({ status }) => status !== 202)
  expect(accepted.length).toBeGreaterThanOrEqual(15)
  expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(['SERVICE_UNAVAILABLE']))
  for (const { data } of accepted) expect((await client.follow(data.job_id)).status).toBe('completed')
  await waitUntil('jobs that were accepted without a reply are done too', async () => {
    const open = await system.rows("SELECT id FROM jobs WHERE status NOT IN ('completed', 'failed')")
    return open.length === 0
  })
  expect(await findViolations(system)).toEqual({})
})
