import { type Job, SUMMARY_MODES } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo, SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { type Client, findViolations, type TestSystem, useTestSystem, watchUrl } from '@subtext/testbed'

const system = useTestSystem({ messagesApi: true, wires: true })
let client: Client

beforeAll(async () => {
  client = await system.createClient()
})

const submit = (videoId: string, request: object = {}) =>
  client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook`, ...request })

/** Submits a video whose captions are requested and never arrive. */
async function submitHanging(): Promise<{ jobId: string; videoId: string }> {
  const { id: videoId } = system.addCopy(SAMPLE_TALKS.spanish)
  system.platform.failNext({ kind: 'timedtext', videoId, outcome: 'hang', times: Number.POSITIVE_INFINITY })
  const jobId = await submit(videoId)
  await system.platform.waitForRequest({ kind: 'timedtext', videoId })
  return { jobId, videoId }
}

/**
 * Returns the exit code: 0 if the process ended by itself. One that exceeds its SHUTDOWN_GRACE_SECONDS by five seconds
 * exits with 1.
 */
async function terminate(app: TestSystem['api'] | undefined): Promise<number | null> {
  app?.kill('SIGTERM')
  return (await app?.exited) ?? null
}

async function killWorker(): Promise<void> {
  const worker = system.workers.at(-1)
  worker?.kill('SIGKILL')
  expect(await worker?.exited).toBeNull()
  await system.expireLeases()
}

const stateOf = async (jobId: string) => {
  const [job] = await system.rows<{ status: string; step: string; attempts: number; leased: boolean }>(
    'SELECT status, step, attempts, lease_token IS NOT NULL AS leased FROM jobs WHERE id = $1',
    [jobId],
  )
  return job
}
const countsOf = async (jobId: string) => {
  const [counts] = await system.rows<{ attempts: number; deaths: number }>(
    'SELECT attempts, deaths FROM jobs WHERE id = $1',
    [jobId],
  )
  return counts
}
const attemptsOf = async (jobId: string) => (await stateOf(jobId))?.attempts

async function expectDoneOnce(jobId: string): Promise<void> {
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId))
  expect(JSON.parse(webhook.body.toString())).toMatchObject({ event: 'job.completed', data: { job_id: jobId } })
  const ids = system.receiver.received
    .filter(({ body }) => body.includes(jobId))
    .map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  expect(await findViolations(system)).toEqual({})
}

describe('a worker that is killed', () => {
  test('leaves a job whose captions it was fetching to another worker', async () => {
    const { jobId } = await submitHanging()
    await waitUntil('the step is stored', async () => (await stateOf(jobId))?.step === 'fetching_captions')
    expect(await stateOf(jobId)).toEqual({ status: 'processing', step: 'fetching_captions', attempts: 1, leased: true })
    await killWorker()
    system.platform.forgetFaults()
    system.startWorker()
    expect((await client.follow(jobId)).status).toBe('completed')
    expect(await countsOf(jobId)).toEqual({ attempts: 1, deaths: 1 })
    await expectDoneOnce(jobId)
  })

  test('leaves the summaries that were paid for, and another worker writes the rest', async () => {
    const [first, second] = SUMMARY_MODES
    // Long enough for a call of each mode.
    const video = system.addCopy(longVideo({ id: 'sbtx-death1', hours: 1 / 3 }))
    const callsFor = (mode: string) => system.messagesApi.calls.filter(({ instruction }) => instruction.includes(mode))
    system.messagesApi.calls.length = 0
    system.messagesApi.failNext({ kind: 'hang' }, { instructionIncludes: second, times: 1 })
    const jobId = await submit(video.id, { options: { summary_modes: SUMMARY_MODES } })
    await waitUntil('four summaries and a call without an answer', async () => {
      const [row] = await system.rows<{ ready: number }>(
        'SELECT count(*)::int AS ready FROM job_summaries WHERE job_id = $1',
        [jobId],
      )
      return row?.ready === SUMMARY_MODES.length - 1 && callsFor(second).length === 1
    })
    const shown = async () => (await client.get<Job>(`/videos/status/${jobId}`)).data
    await waitUntil('the progress is stored', async () => (await shown()).progress_percentage > 40)
    expect(await stateOf(jobId)).toMatchObject({ status: 'processing', step: 'summarizing', attempts: 1, leased: true })
    await killWorker()
    system.startWorker()
    const job = await client.follow(jobId)
    expect(job.status).toBe('completed')
    expect(callsFor(first)).toHaveLength(1)
    expect(callsFor(second)).toHaveLength(2)
    expect(system.messagesApi.calls).toHaveLength(SUMMARY_MODES.length + 1)
    expect(system.platform.count({ kind: 'timedtext', videoId: video.id })).toBe(1)
    await expectDoneOnce(jobId)
  })
})

test('a webhook sender that is killed during an attempt delivers the same event again after its restart', async () => {
  system.receiver.reply({ instead: 'hang' })
  const jobId = await submit(SAMPLE_TALKS.french.id)
  await client.follow(jobId)
  const lost = await system.receiver.waitFor(({ body }) => body.includes(jobId))
  system.webhooks.kill('SIGKILL')
  await system.webhooks.exited
  system.receiver.reply({})
  system.startWebhooks()
  await system.expireLeases()
  const again = await system.receiver.waitFor((webhook) => webhook !== lost && webhook.body.includes(jobId))
  expect(again.headers['webhook-id']).toBe(lost.headers['webhook-id'])
  expect(again.body.equals(lost.body)).toBe(true)
  await waitUntil('the delivery is settled', async () => {
    const pending = await system.rows("SELECT id FROM webhook_deliveries WHERE status = 'pending'")
    return pending.length === 0
  })
  await expectDoneOnce(jobId)
})

test('a job that takes longer than its timeout fails, and is not tried again', async () => {
  expect(await terminate(system.workers.at(-1))).toBe(0)
  const worker = system.startWorker({ JOB_TIMEOUT_SECONDS: '10' })
  const jobId = await submit(SAMPLE_VIDEOS.hangs.id)
  expect(await client.follow(jobId)).toMatchObject({ status: 'failed', error: { code: 'PROCESSING_TIMEOUT' } })
  expect(await attemptsOf(jobId)).toBe(1)
  const result = await client.get(`/videos/result/${jobId}`)
  expect([result.status, result.error.code]).toEqual([504, 'PROCESSING_TIMEOUT'])
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId))
  expect(JSON.parse(webhook.body.toString())).toMatchObject({
    event: 'job.failed',
    data: { job_id: jobId, error: { code: 'PROCESSING_TIMEOUT' } },
  })
  expect(await findViolations(system)).toEqual({})
  expect(await terminate(worker)).toBe(0)
  system.startWorker()
})

test.each(['postgres', 'redis'] as const)(
  'a job is done although the connections to %s are lost silently meanwhile, and so is the next job',
  async (server) => {
    const { id: videoId } = system.addCopy(SAMPLE_TALKS.korean)
    const release = system.platform.hold({ kind: 'timedtext', videoId })
    const jobId = await submit(videoId)
    await system.platform.waitForRequest({ kind: 'timedtext', videoId })
    system.wires[server].lose()
    release()
    expect((await client.follow(jobId)).status).toBe('completed')
    await expectDoneOnce(jobId)
    const next = await submit(system.addCopy(SAMPLE_TALKS.french).id)
    expect((await client.follow(next)).status).toBe('completed')
    await expectDoneOnce(next)
  },
)

describe('a process that is told to stop', () => {
  test('hands its job back at once, without spending the attempt, if it is a worker', async () => {
    const { jobId } = await submitHanging()
    expect(await terminate(system.workers.at(-1))).toBe(0)
    expect(await attemptsOf(jobId)).toBe(0)
    system.platform.forgetFaults()
    system.startWorker()
    expect((await client.follow(jobId)).status).toBe('completed')
    expect(await attemptsOf(jobId)).toBe(1)
    expect(await findViolations(system)).toEqual({})
  })

  test('finishes what it can finish in time, if it is a worker', async () => {
    expect(await terminate(system.workers.at(-1))).toBe(0)
    const worker = system.startWorker({ SHUTDOWN_GRACE_SECONDS: '120' })
    const { id } = system.addCopy(SAMPLE_TALKS.hindi)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    const jobId = await client.submit({ url: watchUrl(id) })
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
    const ended = terminate(worker)
    release()
    expect(await ended).toBe(0)
    expect((await client.get<Job>(`/videos/status/${jobId}`)).data.status).toBe('completed')
    system.startWorker()
  })

  test('answers requests that wait for a job, if it is the API', async () => {
    const { jobId } = await submitHanging()
    const [before] = await system.rows<{ now: Date }>('SELECT clock_timestamp() AS now')
    const waiting = client.get<Job>(`/videos/status/${jobId}?wait=60`)
    await waitUntil('the request is being served', async () => {
      const reads = await system.rows(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND query LIKE '%FROM jobs WHERE id = ANY%AND user_id = ANY%' AND query_start > $1`,
        [before?.now],
      )
      return reads.length > 0
    })
    expect(await terminate(system.api)).toBe(0)
    const { status, data } = await waiting
    expect([status, data.status]).toEqual([200, 'processing'])
    await system.startApi()
    system.platform.forgetFaults()
    await killWorker()
    system.startWorker()
    expect((await client.follow(jobId)).status).toBe('completed')
  })
})

test('a job that kills its workers fails after five deaths, and workers that stop in order do not count', async () => {
  const ends = ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const
  // A death is counted when another worker takes the job over, and repeats the attempt.
  const attemptsAfter = [1, 0, 1]
  const deathsAfter = [3, 4, 4]
  const owner = await system.createClient({ plan: 'pro' })
  const hook = `${system.receiver.origin}/hook`
  const { id: videoId } = system.addCopy(SAMPLE_TALKS.korean)
  const requests = { kind: 'timedtext', videoId } as const
  system.platform.failNext({ ...requests, outcome: 'hang', times: Number.POSITIVE_INFINITY })
  const jobId = await owner.submit({ url: watchUrl(videoId), webhook_url: hook })
  // As after three deaths before these ends.
  await system.rows('UPDATE jobs SET deaths = 3 WHERE id = $1', [jobId])
  let asked = 0
  for (const [nth, signal] of ends.entries()) {
    await waitUntil(`worker ${nth + 1} has the job`, () => system.platform.count(requests) > asked)
    if (signal === 'SIGKILL') await killWorker()
    else expect(await terminate(system.workers.at(-1))).toBe(0)
    expect(await countsOf(jobId)).toEqual({ attempts: attemptsAfter[nth], deaths: deathsAfter[nth] })
    asked = system.platform.count(requests)
    system.startWorker()
  }
  const healthy = await owner.submit({ url: watchUrl(SAMPLE_TALKS.french.id), webhook_url: hook })

  const job = await owner.follow(jobId)
  expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', retryable: false } })
  const result = await owner.get(`/videos/result/${jobId}`)
  expect([result.status, result.error.code]).toEqual([500, 'INTERNAL_ERROR'])
  expect((await owner.follow(healthy)).status).toBe('completed')
  expect(system.platform.count(requests)).toBe(asked)
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId))
  expect(JSON.parse(webhook.body.toString())).toMatchObject({
    event: 'job.failed',
    data: { job_id: jobId, error: { code: 'INTERNAL_ERROR', retryable: false } },
  })
  const [used] = await system.rows("SELECT used FROM quota_usage WHERE user_id = $1 AND period = 'day'", [owner.userId])
  expect(used).toEqual({ used: 1 })
  await system.receiver.waitFor(({ body }) => body.includes(healthy))
  expect(await findViolations(system)).toEqual({})
})
