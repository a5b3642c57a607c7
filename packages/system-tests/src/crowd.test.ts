import { PLANS, SUMMARY_MODES } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const USERS = 7
const DAILY = PLANS.pro.quota.daily
const TOO_MANY = 2
const TALKS = Object.values(SAMPLE_TALKS)
let system: TestSystem

beforeAll(async () => {
  system = await startTestSystem({ workers: 2, messagesApi: true, settings: { JOB_LEASE_SECONDS: '60' } })
})
afterAll(() => system.close())

test(`two workers, ${USERS * DAILY} jobs at once over nine videos: nothing is lost, nothing is done twice`, async () => {
  const clients = await Promise.all(Array.from({ length: USERS }, () => system.createClient()))
  const answers = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: DAILY + TOO_MANY }, (_, nth) =>
        client.trySubmit({
          url: watchUrl(TALKS[nth % TALKS.length]?.id ?? ''),
          priority: nth % 3 === 0 ? 'high' : 'normal',
          options: { summary_modes: SUMMARY_MODES.slice(0, 1 + (nth % SUMMARY_MODES.length)) },
          webhook_url: `${system.receiver.origin}/hook`,
        }),
      ),
    ),
  )
  const accepted = answers.filter(({ status }) => status === 202).map(({ data }) => data.job_id)
  const refused = answers.filter(({ status }) => status !== 202)
  expect(accepted).toHaveLength(USERS * DAILY)
  expect(refused.map(({ error }) => error.code)).toEqual(Array(USERS * TOO_MANY).fill('QUOTA_EXCEEDED'))

  await waitUntil('every job has ended and every webhook is delivered', async () => {
    const [open] = await system.rows<{ jobs: number; deliveries: number }>(
      `SELECT (SELECT count(*) FROM jobs WHERE status NOT IN ('completed', 'failed'))::int AS jobs,
           (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')::int AS deliveries`,
    )
    return open?.jobs === 0 && open.deliveries === 0
  })

  const counts = await system.rows('SELECT status, attempts, count(*)::int AS jobs FROM jobs GROUP BY 1, 2')
  expect(counts).toEqual([{ status: 'completed', attempts: 1, jobs: USERS * DAILY }])
  const used = await system.rows("SELECT used FROM quota_usage WHERE period = 'day'")
  expect(used).toEqual(Array(USERS).fill({ used: DAILY }))
  expect(await findViolations(system)).toEqual({})

  for (const { id, tracks } of TALKS) {
    expect(system.platform.count({ kind: 'timedtext', videoId: id })).toBe(1)
    // Where no manual track shows, a second app is asked.
    const apps = tracks.some(({ kind }) => kind === 'manual') ? 1 : 2
    expect(system.platform.count({ kind: 'player', videoId: id })).toBe(apps)
  }
  // A call asks for one summary or for several, each named at the beginning of a line.
  const asked = system.messagesApi.calls.flatMap(({ body, instruction }) => {
    const modes = instruction.match(/^"\w+"(?=:)/gm) ?? []
    const document = JSON.stringify(body.messages).split(instruction.slice(0, 20))[0]
    return modes.map((mode) => `${mode} ${document}`)
  })
  expect(new Set(asked).size).toBe(asked.length)
  const [paid] = await system.rows<{ paid: number; jobs: number }>(
    'SELECT (SELECT count(*) FROM summaries)::int AS paid, (SELECT count(*) FROM job_summaries WHERE NOT reused)::int AS jobs',
  )
  expect(paid).toEqual({ paid: asked.length, jobs: asked.length })

  const events = system.receiver.received.map(({ body }) => JSON.parse(body.toString()).data.job_id)
  expect(events.sort()).toEqual([...accepted].sort())
  // Each account got one secret, though its first deliveries were made side by side.
  const secrets = await system.rows('SELECT user_id, count(*)::int AS secrets FROM webhook_secrets GROUP BY 1')
  expect(secrets).toEqual(clients.map(() => ({ user_id: expect.any(String), secrets: 1 })))
})
