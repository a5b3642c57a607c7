import {
  type Batch,
  BatchCompletedEvent,
  type BatchJob,
  type ErrorCode,
  type FailedBatchJob,
  PLANS,
  SUMMARY_MODES,
} from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS, SAMPLE_VIDEOS, UNKNOWN_VIDEO_ID } from '@subtext/fakes'
import { type Client, findViolations, type MarkdownReply, useTestSystem, watchUrl } from '@subtext/testbed'
import { Webhook } from 'standardwebhooks'

const system = useTestSystem({ workers: 2, messagesApi: true })

const USERS = 7
const DAILY = PLANS.pro.quota.daily
const TOO_MANY = 2

// Comes first: it counts everything that is in the database.
test(`two workers do ${USERS * DAILY} jobs over nine videos without losing one or doing anything twice`, async () => {
  const talks = Object.values(SAMPLE_TALKS)
  const clients = await Promise.all(Array.from({ length: USERS }, () => system.createClient()))
  const answers = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: DAILY + TOO_MANY }, (_, nth) =>
        client.trySubmit({
          url: watchUrl(talks[nth % talks.length]?.id ?? ''),
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

  for (const { id, tracks } of talks) {
    expect(system.platform.count({ kind: 'timedtext', videoId: id })).toBe(1)
    // If no manual track is listed, a second app is asked.
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
    'SELECT (SELECT count(*) FROM summaries)::int AS paid, (SELECT count(*) FROM job_summaries WHERE NOT reused AND NOT shared)::int AS jobs',
  )
  expect(paid).toEqual({ paid: asked.length, jobs: asked.length })

  const events = system.receiver.received.map(({ body }) => JSON.parse(body.toString()).data.job_id)
  expect(events.sort()).toEqual([...accepted].sort())
  // Each account got one secret, although its first deliveries were made side by side.
  const secrets = await system.rows('SELECT user_id, count(*)::int AS secrets FROM webhook_secrets GROUP BY 1')
  expect(secrets).toEqual(clients.map(() => ({ user_id: expect.any(String), secrets: 1 })))
})

describe('a batch', () => {
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
    successful_jobs: MarkdownReply[]
    failed_jobs: FailedBatchJob[]
  }

  /** Nine talks that no other test has fetched. */
  const addTalks = (): string[] => Object.values(SAMPLE_TALKS).map((talk) => system.addCopy(talk).id)

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

  /** Returns the deliveries of the batch's own event. */
  const deliveriesOf = (batchId: string) =>
    system.receiver.received.filter(
      ({ headers, body }) => headers['x-webhook-event'] === 'batch.completed' && body.includes(batchId),
    )

  const quotaUsed = async ({ userId }: Client): Promise<number[]> =>
    (await system.rows<{ used: number }>('SELECT used FROM quota_usage WHERE user_id = $1', [userId])).map(
      ({ used }) => used,
    )

  test('of twenty videos, some of them unavailable, fails in part, is announced once, and charges for the rest', async () => {
    const client = await system.createClient()
    const secret = await system.rotateWebhookSecret(client)
    const talks = addTalks()
    const videoIds = [...talks, ...FAILURES.map(([id]) => id), ...talks.slice(0, 3)]
    const batchId = await submit(client, videoIds, { webhook_url: `${system.receiver.origin}/batch` })
    const batch = await follow(client, batchId)
    expect(batch).toMatchObject({
      status: 'partial_failure',
      progress_percentage: 100,
      summary_stats: { total: 20, queued: 0, processing: 0, successful: 12, failed: 8 },
    })
    expect(batch.jobs.map(({ index, video_id }) => [index, video_id])).toEqual(videoIds.map((id, index) => [index, id]))

    const webhook = await system.receiver.waitFor((received) => deliveriesOf(batchId).includes(received))
    const event = new Webhook(secret).verify(webhook.body.toString(), webhook.headers as Record<string, string>)
    const { data } = BatchCompletedEvent.parse(event)
    expect(data).toMatchObject({ batch_id: batchId, status: 'partial_failure', summary_stats: batch.summary_stats })
    expect(data.jobs).toEqual(batch.jobs)

    const results = await client.get<Results>(`/batch/results/${batchId}?include_failed=true`)
    expect(results.data.successful_jobs.map((result) => result.video_info.video_id)).toEqual([
      ...talks,
      ...talks.slice(0, 3),
    ])
    expect(results.data.failed_jobs.map(({ video_id, error }) => [video_id, error.code])).toEqual(FAILURES)
    expect(await quotaUsed(client)).toEqual([12, 12])
    // The same talk twice in one batch was fetched once.
    expect(system.platform.count({ kind: 'timedtext', videoId: talks[0] })).toBe(1)
    expect(await findViolations(system)).toEqual({})
    expect(deliveriesOf(batchId)).toHaveLength(1)
  })

  test('whose workers are killed ends each job once, and is announced once', async () => {
    const client = await system.createClient()
    const { id: stuck } = system.addCopy(SAMPLE_VIDEOS.hostile)
    system.platform.failNext({
      kind: 'timedtext',
      videoId: stuck,
      outcome: 'hang',
      times: Number.POSITIVE_INFINITY,
    })
    const batchId = await submit(client, [...addTalks(), stuck, SAMPLE_VIDEOS.removed.id], {
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
    system.platform.forgetFaults()
    system.startWorker()
    system.startWorker()
    expect(await follow(client, batchId)).toMatchObject({
      status: 'partial_failure',
      summary_stats: { total: 11, successful: 10, failed: 1 },
    })
    await system.receiver.waitFor((webhook) => deliveriesOf(batchId).includes(webhook))
    expect(new Set(deliveriesOf(batchId).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await quotaUsed(client)).toEqual([10, 10])
    expect(await findViolations(system)).toEqual({})
  })

  test('in the older form is announced entry by entry', async () => {
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
    const received = await Promise.all(
      data.jobs.map(({ job_id }) => system.receiver.waitFor(({ body }) => body.includes(job_id))),
    )
    expect(received.map(({ headers }) => headers['x-webhook-event'])).toEqual(['job.completed', 'job.failed'])
    expect(deliveriesOf(data.batch_id)).toEqual([])
    expect(await findViolations(system)).toEqual({})
  })

  test('is completed if all of its jobs succeed, and failed if none does', async () => {
    const client = await system.createClient()
    const [completed, failed] = await Promise.all([
      submit(client, addTalks().slice(0, 2)),
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
})
