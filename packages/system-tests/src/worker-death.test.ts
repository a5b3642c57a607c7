import { type Job, SUMMARY_MODES } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo, SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

let system: TestSystem
let client: Client

beforeAll(async () => {
  system = await startTestSystem({ messagesApi: true })
  client = await system.createClient()
})
afterAll(() => system.close())

const submit = (videoId: string, request: object = {}) =>
  client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook`, ...request })

async function killWorker(): Promise<void> {
  const worker = system.workers.at(-1)
  worker?.kill('SIGKILL')
  expect(await worker?.exited).toBeNull()
}

const stateOf = async (jobId: string) => {
  const [job] = await system.rows<{ status: string; step: string; attempts: number; leased: boolean }>(
    'SELECT status, step, attempts, lease_token IS NOT NULL AS leased FROM jobs WHERE id = $1',
    [jobId],
  )
  return job
}

async function expectDoneOnce(jobId: string): Promise<void> {
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId), 10_000)
  expect(JSON.parse(webhook.body.toString())).toMatchObject({ event: 'job.completed', data: { job_id: jobId } })
  const ids = system.receiver.received
    .filter(({ body }) => body.includes(jobId))
    .map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  expect(await findViolations(system)).toEqual({})
}

test('killed while it fetches captions: another worker finishes the job', async () => {
  const { id } = SAMPLE_TALKS.french
  system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await submit(id)
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id }, 15_000)
  expect(await stateOf(jobId)).toEqual({ status: 'processing', step: 'fetching_captions', attempts: 1, leased: true })
  await killWorker()
  system.startWorker()
  expect((await client.follow(jobId)).status).toBe('completed')
  expect((await stateOf(jobId))?.attempts).toBe(2)
  await expectDoneOnce(jobId)
}, 60_000)

test('killed among its summaries: what was paid for is kept, the rest is written', async () => {
  const [first, second] = SUMMARY_MODES
  // Long enough for a call of each mode.
  const video = longVideo({ id: 'sbtx-death1', hours: 1 / 3 })
  system.platform.addVideo(video)
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
  expect(await stateOf(jobId)).toMatchObject({ status: 'processing', step: 'summarizing', attempts: 1, leased: true })
  const before = await client.get<Job>(`/videos/status/${jobId}`)
  await killWorker()
  system.startWorker()
  const job = await client.follow(jobId)
  expect(job.status).toBe('completed')
  expect(before.data.progress_percentage).toBeGreaterThan(40)
  expect(callsFor(first)).toHaveLength(1)
  expect(callsFor(second)).toHaveLength(2)
  expect(system.messagesApi.calls).toHaveLength(SUMMARY_MODES.length + 1)
  expect(system.platform.count({ kind: 'timedtext', videoId: video.id })).toBe(1)
  await expectDoneOnce(jobId)
}, 60_000)

test('the webhook app killed within an attempt: the same event comes again', async () => {
  system.receiver.answer({ instead: 'hang' })
  const jobId = await submit(SAMPLE_TALKS.french.id)
  await client.follow(jobId)
  const lost = await system.receiver.waitFor(({ body }) => body.includes(jobId), 10_000)
  system.webhooks.kill('SIGKILL')
  await system.webhooks.exited
  system.receiver.answer({})
  system.startWebhooks()
  // The dead deliverer's lease, run out before its time.
  await system.rows("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'")
  const again = await system.receiver.waitFor((webhook) => webhook !== lost && webhook.body.includes(jobId), 15_000)
  expect(again.headers['webhook-id']).toBe(lost.headers['webhook-id'])
  expect(again.body.equals(lost.body)).toBe(true)
  await waitUntil('the delivery is settled', async () => {
    const pending = await system.rows("SELECT id FROM webhook_deliveries WHERE status = 'pending'")
    return pending.length === 0
  })
  await expectDoneOnce(jobId)
}, 60_000)

test('a job that ends its worker every time fails in the end, and is given back', async () => {
  const { id } = SAMPLE_TALKS.korean
  system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await submit(id)
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id }, 15_000)
  // Four deaths before this one.
  await system.rows('UPDATE jobs SET attempts = 5 WHERE id = $1', [jobId])
  const healthy = await submit(SAMPLE_TALKS.french.id)
  await killWorker()
  system.startWorker()
  const job = await client.follow(jobId)
  expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', retryable: false } })
  const result = await client.get(`/videos/result/${jobId}`)
  expect([result.status, result.error.code]).toEqual([500, 'INTERNAL_ERROR'])
  expect((await client.follow(healthy)).status).toBe('completed')
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId), 10_000)
  expect(JSON.parse(webhook.body.toString()).event).toBe('job.failed')
  expect(await findViolations(system)).toEqual({})
}, 60_000)
