import { type Batch, BatchCompletedEvent, type BatchJob, type ErrorCode, type FailedBatchJob } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS, SAMPLE_VIDEOS, UNKNOWN_VIDEO_ID } from '@subtext/fakes'
import {
  type Client,
  findViolations,
  type MarkdownAnswer,
  startTestSystem,
  type TestSystem,
  watchUrl,
} from '@subtext/server/testing'
import { Webhook } from 'standardwebhooks'

const TALKS = Object.values(SAMPLE_TALKS).map(({ id }) => id)
const FAILURES: [videoId: string, code: ErrorCode][] = [
  [SAMPLE_VIDEOS.private.id, 'TRANSCRIPT_UNAVAILABLE'],
  [SAMPLE_VIDEOS.noCaptions.id, 'TRANSCRIPT_UNAVAILABLE'],
  [SAMPLE_VIDEOS.removed.id, 'VIDEO_UNAVAILABLE'],
  [SAMPLE_VIDEOS.ageRestricted.id, 'AGE_RESTRICTED'],
  [SAMPLE_VIDEOS.membersOnly.id, 'VIDEO_NOT_ACCESSIBLE'],
  [SAMPLE_VIDEOS.geoBlocked.id, 'GEO_BLOCKED'],
  [SAMPLE_VIDEOS.liveNow.id, 'LIVE_NOT_ENDED'],
  [UNKNOWN_VIDEO_ID, 'VIDEO_UNAVAILABLE'],
]

type Status = Batch & { jobs: BatchJob[] }
interface Results extends Pick<Batch, 'batch_id' | 'status' | 'summary_stats'> {
  successful_jobs: MarkdownAnswer[]
  failed_jobs: FailedBatchJob[]
}

let system: TestSystem

beforeAll(async () => {
  system = await startTestSystem({ workers: 2 })
})
afterAll(() => system.close())

async function submit(client: Client, videoIds: string[], more: object = {}): Promise<string> {
  const videos = videoIds.map((id) => ({ url: watchUrl(id) }))
  const answer = await client.post<{ batch_id: string }>('/batch/process', { videos, ...more })
  expect([answer.status, answer.error]).toEqual([202, undefined])
  return answer.data.batch_id
}

const follow = (client: Client, batchId: string): Promise<Status> =>
  waitUntil('the batch has ended', async () => {
    const { data } = await client.get<Status>(`/batch/status/${batchId}`)
    return data.status !== 'processing' && data
  })

/** The deliveries of the batch's own event. */
const toldOf = (batchId: string) =>
  system.receiver.received.filter(
    ({ headers, body }) => headers['x-webhook-event'] === 'batch.completed' && body.includes(batchId),
  )

const quotaUsed = async ({ userId }: Client): Promise<number[]> =>
  (await system.rows<{ used: number }>('SELECT used FROM quota_usage WHERE user_id = $1', [userId])).map(
    ({ used }) => used,
  )

test('twenty videos, some of which cannot be had: partial failure, told once, charged for what was done', async () => {
  const client = await system.createClient()
  const secret = await system.rotateWebhookSecret(client)
  const videoIds = [...TALKS, ...FAILURES.map(([id]) => id), ...TALKS.slice(0, 3)]
  const batchId = await submit(client, videoIds, { webhook_url: `${system.receiver.origin}/batch` })
  const batch = await follow(client, batchId)
  expect(batch).toMatchObject({
    ...{ status: 'partial_failure', progress_percentage: 100 },
    summary_stats: { total: 20, queued: 0, processing: 0, successful: 12, failed: 8 },
  })
  expect(batch.jobs.map(({ index, video_id }) => [index, video_id])).toEqual(videoIds.map((id, index) => [index, id]))

  await system.receiver.waitFor((webhook) => toldOf(batchId).includes(webhook))
  const [webhook] = toldOf(batchId)
  if (!webhook) throw new Error('Nothing was told.')
  const event = new Webhook(secret).verify(webhook.body.toString(), webhook.headers as Record<string, string>)
  const { data } = BatchCompletedEvent.parse(event)
  expect(data).toMatchObject({ batch_id: batchId, status: 'partial_failure', summary_stats: batch.summary_stats })
  expect(data.jobs).toEqual(batch.jobs)

  const results = await client.get<Results>(`/batch/results/${batchId}?include_failed=true`)
  expect(results.data.successful_jobs.map((result) => result.video_info.video_id)).toEqual([
    ...TALKS,
    ...TALKS.slice(0, 3),
  ])
  expect(results.data.failed_jobs.map(({ video_id, error }) => [video_id, error.code])).toEqual(FAILURES)
  expect(await quotaUsed(client)).toEqual([12, 12])
  // The same talk twice in one batch was fetched once.
  expect(system.platform.count({ kind: 'timedtext', videoId: TALKS[0] })).toBe(1)
  expect(await findViolations(system)).toEqual({})
  expect(toldOf(batchId)).toHaveLength(1)
})

test('workers killed in the middle: every job ends once, the batch is told once', async () => {
  const client = await system.createClient()
  const stuck = SAMPLE_VIDEOS.hostile.id
  system.platform.failNext({ kind: 'timedtext', videoId: stuck, outcome: 'hang' })
  const batchId = await submit(client, [...TALKS, stuck, SAMPLE_VIDEOS.removed.id], {
    webhook_url: `${system.receiver.origin}/batch`,
  })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: stuck })
  const [held] = await system.rows<{ leased: number }>(
    'SELECT count(*)::int AS leased FROM jobs WHERE batch_id = $1 AND lease_token IS NOT NULL',
    [batchId],
  )
  expect(held?.leased).toBeGreaterThan(0)
  for (const worker of system.workers.slice(-2)) worker.kill('SIGKILL')
  await Promise.all(system.workers.map(({ exited }) => exited))
  const { data: halted } = await client.get<Status>(`/batch/status/${batchId}`)
  expect(halted.status).toBe('processing')
  await system.expireLeases()
  system.startWorker()
  system.startWorker()
  expect(await follow(client, batchId)).toMatchObject({
    status: 'partial_failure',
    summary_stats: { total: 11, successful: 10, failed: 1 },
  })
  await system.receiver.waitFor((webhook) => toldOf(batchId).includes(webhook))
  expect(new Set(toldOf(batchId).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await quotaUsed(client)).toEqual([10, 10])
  expect(await findViolations(system)).toEqual({})
})

test('the older form: every entry is told of by itself', async () => {
  const client = await system.createClient()
  const webhook_url = `${system.receiver.origin}/single`
  const { status, data } = await client.post<{ batch_id: string; jobs: { job_id: string }[] }>('/batch/process', {
    jobs: [
      { video_url: watchUrl(SAMPLE_TALKS.german.id), summary_mode: 'detailed', webhook_url },
      { video_url: watchUrl(SAMPLE_VIDEOS.private.id), summary_mode: 'tldr', webhook_url },
    ],
  })
  expect(status).toBe(202)
  expect((await follow(client, data.batch_id)).status).toBe('partial_failure')
  const told = await Promise.all(
    data.jobs.map(({ job_id }) => system.receiver.waitFor(({ body }) => body.includes(job_id))),
  )
  expect(told.map(({ headers }) => headers['x-webhook-event'])).toEqual(['job.completed', 'job.failed'])
  expect(toldOf(data.batch_id)).toEqual([])
  expect(await findViolations(system)).toEqual({})
})

test('all of them, or none of them', async () => {
  const client = await system.createClient()
  const [completed, failed] = await Promise.all([
    submit(client, TALKS.slice(0, 2)),
    submit(client, [SAMPLE_VIDEOS.private.id, SAMPLE_VIDEOS.removed.id]),
  ])
  expect((await follow(client, completed)).status).toBe('completed')
  expect((await follow(client, failed)).status).toBe('failed')
  const { data } = await client.get<{ batches: Batch[] }>('/batch/')
  expect(data.batches.map(({ batch_id, status }) => [batch_id, status]).sort()).toEqual(
    [
      [completed, 'completed'],
      [failed, 'failed'],
    ].sort(),
  )
})
