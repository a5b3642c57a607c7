import { PLANS, ServiceError } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import type { RunningServer } from '../server.ts'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { failTestJob, VIDEO_URL } from '../testing/jobs.ts'

const CONCURRENT = 200
/** How often the submissions are repeated, each time with another account. */
const ROUNDS = Math.ceil(fuzzRuns() / 200)
const { daily } = PLANS.pro.quota

const api = useTestApi({}, () => new Date('2026-03-10T12:00:00Z'))
let servers: RunningServer[]

beforeAll(async () => {
  servers = await Promise.all([api.app, api.openBeside().app].map((app) => api.serve(app)))
})

interface Outcome {
  status: number
  wanted: number
  single: boolean
  jobIds: string[]
}

/** Submits a batch of `videos` videos or, with 0, a single video. `turn` selects the process. */
async function submit(key: string, videos: number, turn: number): Promise<Outcome> {
  const body =
    videos === 0 ? { url: VIDEO_URL } : { videos: Array.from({ length: videos }, () => ({ url: VIDEO_URL })) }
  const path = videos === 0 ? 'videos/process' : 'batch/process'
  const response = await fetch(`http://127.0.0.1:${servers[turn % servers.length]?.port}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { data?: { job_id?: string; jobs?: { job_id: string }[] } }
  const jobIds = data?.jobs?.map(({ job_id }) => job_id) ?? (data?.job_id === undefined ? [] : [data.job_id])
  return { status: response.status, wanted: Math.max(1, videos), single: videos === 0, jobIds }
}

async function account(key: string) {
  const { userId } = await holderOf(api.context, key)
  const { rows } = await api.context.db.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE user_id = $1) AS jobs,
       (SELECT coalesce(sum(total), 0)::int FROM batches WHERE user_id = $1) AS "inBatches",
       (SELECT count(*)::int FROM quota_entries WHERE user_id = $1 AND kind = 'reserve') AS reserved,
       (SELECT jobs_accepted FROM users WHERE id = $1) AS accepted,
       (SELECT min(used) FROM quota_usage WHERE user_id = $1) AS day,
       (SELECT max(used) FROM quota_usage WHERE user_id = $1) AS month`,
    [userId],
  )
  return rows[0]
}

const sum = (outcomes: Outcome[]): number => outcomes.reduce((total, { jobIds }) => total + jobIds.length, 0)

test('200 concurrent batches and single videos are each accepted whole or not at all, and never exceed the quota', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = await api.createKey()
    const outcomes = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, turn) => submit(key, (turn * 7 + round) % 12, turn)),
    )
    const accepted = outcomes.filter(({ status }) => status === 202)
    const used = sum(accepted)
    for (const { jobIds, wanted } of accepted) expect(jobIds).toHaveLength(wanted)
    expect(used).toBeLessThanOrEqual(daily)
    // On a slow machine some fail to get a database connection in time. They use no quota either.
    const refused = outcomes.filter(({ status }) => status !== 202 && status !== 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, wanted } of refused) {
      // The counters have only grown since the refusal: if it fitted now, it would have fitted then.
      expect([status, used + wanted > daily]).toEqual([429, true])
    }
    const inBatches = sum(accepted.filter(({ single }) => !single))
    expect(await account(key)).toEqual({
      jobs: used,
      inBatches,
      reserved: used,
      accepted: used,
      day: used,
      month: used,
    })
  }
})

test('each failed job gives its quota back, which the next batch can use', async () => {
  const key = await api.createKey()
  const { jobIds } = await submit(key, daily, 0)
  expect((await submit(key, 2, 1)).status).toBe(429)
  for (const jobId of jobIds.slice(0, 2)) await failTestJob(api.context, jobId, new ServiceError('GEO_BLOCKED'))
  const outcomes = await Promise.all([submit(key, 2, 0), submit(key, 2, 1), submit(key, 2, 0)])
  expect(outcomes.filter(({ status }) => status === 202)).toHaveLength(1)
  expect(await account(key)).toMatchObject({ jobs: daily + 2, day: daily, month: daily })
})

test('concurrent first submissions of an account share new counters', async () => {
  for (let round = 0; round < 10; round++) {
    const key = await api.createKey()
    const outcomes = await Promise.all([submit(key, 20, 0), submit(key, 20, 1), submit(key, 0, 0), submit(key, 9, 1)])
    expect([round, sum(outcomes)]).toEqual([round, 30])
  }
})
