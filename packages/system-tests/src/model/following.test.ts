import { DefaultResult, type Job, type JobFailedEvent, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { type ReceivedEvent, readEvents } from '@subtext/contracts/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo, SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { type Client, findViolations, useClient, watchUrl } from '@subtext/testbed'
import type { z } from 'zod'
import { useModelSystem } from './use-model-system.ts'

type Markdown = z.infer<typeof DefaultResult>

const system = useModelSystem()
const client = useClient(system)

async function* follow(jobId: string, lastEventId?: string): AsyncGenerator<ReceivedEvent> {
  const headers = lastEventId === undefined ? undefined : { 'Last-Event-ID': lastEventId }
  const response = await client.fetch(`/videos/events/${jobId}`, headers)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  yield* readEvents(response)
}

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<ReceivedEvent[]> {
  const all: ReceivedEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** Holds back the model's next answer for a mode until the returned function is called. */
function holdModel(mode: SummaryMode): () => void {
  let release = (): void => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  system.messagesApi.failNext({ kind: 'held', until }, { instructionIncludes: `"${mode}"` })
  return release
}

const modesOf = (events: ReceivedEvent[]) =>
  events.filter(({ name }) => name === 'summary').map(({ data }) => data.mode)

describe('the events of a job', () => {
  test('show rising progress, each summary once and the end, and continue for a client that comes back', async () => {
    // Long enough for a call of each mode.
    const video = system.addCopy(longVideo({ id: 'sbtx-foll01', hours: 1 / 3 }))
    const releases = SUMMARY_MODES.map((mode) => holdModel(mode))
    const jobId = await client.submit({ url: watchUrl(video.id), options: { summary_modes: SUMMARY_MODES } })
    const seen: ReceivedEvent[] = []
    const percentages = new Set<unknown>()
    // Each summary is written when the progress made before it has been announced.
    const read = async (isEnough: () => boolean): Promise<void> => {
      for await (const event of follow(jobId, seen.at(-1)?.id)) {
        const { name, data } = event
        const isNews = name === 'progress' && !percentages.has(data.progress_percentage)
        if (isNews) percentages.add(data.progress_percentage)
        if (isNews && data.current_step === 'summarizing') releases.shift()?.()
        seen.push(event)
        if (isEnough()) break
      }
    }
    await read(() => modesOf(seen).length === 2)
    const [whole] = await Promise.all([collect(follow(jobId)), read(() => false)])
    expect(percentages.size).toBeGreaterThanOrEqual(SUMMARY_MODES.length)
    for (const events of [seen, whole]) {
      expect(modesOf(events).sort()).toEqual([...SUMMARY_MODES].sort())
      expect(events.map(({ name }) => name).filter((name) => name === 'completed')).toHaveLength(1)
      expect(events.at(-1)?.name).toBe('completed')
      const shown = events.flatMap(({ data }) => (data.progress_percentage as number | undefined) ?? [])
      expect(shown).toEqual([...shown].sort((a, b) => a - b))
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    }

    const { data } = await client.get<Markdown>(`/videos/result/${jobId}`)
    for (const event of whole.filter(({ name }) => name === 'summary')) {
      expect(event.data.text).toBe(data.summaries[event.data.mode as SummaryMode])
    }
    expect((await client.fetch(`/videos/events/${jobId}`, { 'Last-Event-ID': whole.at(-1)?.id ?? '' })).status).toBe(
      204,
    )
  })

  test('end with the error of a job that fails', async () => {
    const jobId = await client.submit({ url: watchUrl(SAMPLE_VIDEOS.private.id) })
    const events = await collect(follow(jobId))
    expect(events.at(-1)).toMatchObject({ name: 'failed', data: { error: { code: 'TRANSCRIPT_UNAVAILABLE' } } })
  })
})

const quotaOf = ({ userId }: Client) =>
  system.rows<{ used: number }>('SELECT used FROM quota_usage WHERE user_id = $1', [userId])

describe('a cancelled job', () => {
  test('stops paying for its summary, gives back its quota and is announced by its webhook', async () => {
    const owner = await system.createClient()
    system.messagesApi.failNext({ kind: 'stall' }, { instructionIncludes: 'detailed' })
    const jobId = await owner.submit({
      url: watchUrl(system.addCopy(SAMPLE_TALKS.german).id),
      options: { summary_modes: ['detailed'] },
      webhook_url: `${system.receiver.origin}/cancelled`,
      client_reference: 'ref',
    })
    const call = await waitUntil('the model is working', async () => {
      const [row] = await system.rows<{ step: string }>('SELECT step FROM jobs WHERE id = $1', [jobId])
      return row?.step === 'summarizing' && system.messagesApi.calls.at(-1)?.instruction.includes('detailed')
        ? system.messagesApi.calls.at(-1)
        : null
    })
    expect((await quotaOf(owner)).map(({ used }) => used)).toEqual([1, 1])
    const { status, data } = await owner.post<Job>(`/videos/cancel/${jobId}`)
    expect([status, data.status, data.error?.code]).toEqual([200, 'failed', 'JOB_CANCELLED'])
    // By the cancellation: the timeouts of the model are longer than this test waits.
    await waitUntil('the call is aborted', () => call.aborted)

    expect((await quotaOf(owner)).map(({ used }) => used)).toEqual([0, 0])
    const { body } = await system.receiver.waitFor(({ url }) => url === '/cancelled')
    expect(JSON.parse(String(body)) as z.infer<typeof JobFailedEvent>).toMatchObject({
      event: 'job.failed',
      data: { job_id: jobId, status: 'failed', client_reference: 'ref', error: { code: 'JOB_CANCELLED' } },
    })
    const again = await owner.post<Job>(`/videos/cancel/${jobId}`)
    expect([again.status, again.data]).toEqual([200, data])
    expect((await owner.get(`/videos/result/${jobId}`)).error.code).toBe('JOB_CANCELLED')
  })

  test('leaves its summary to another job that waits for it', async () => {
    system.messagesApi.failNext({ kind: 'stall' }, { instructionIncludes: 'key_insights' })
    const { id } = system.addCopy(SAMPLE_TALKS.french)
    const request = { url: watchUrl(id), options: { summary_modes: ['key_insights'] } }
    const before = system.messagesApi.calls.length
    const first = await client.submit(request)
    await waitUntil('the model is working', () => system.messagesApi.calls.length > before)
    const second = await client.submit(request)
    await waitUntil('the other job waits', async () => {
      const [row] = await system.rows<{ step: string }>('SELECT step FROM jobs WHERE id = $1', [second])
      return row?.step === 'summarizing'
    })
    await client.post(`/videos/cancel/${first}`)
    expect((await client.follow(second)).status).toBe('completed')
  })
})

describe('process-sync', () => {
  const PATH = '/videos/process-sync'
  const admin = useClient(system, { scopes: ['admin'] })

  test('answers with the result', async () => {
    const { status, data } = await admin.post<Markdown>(PATH, { url: watchUrl(SAMPLE_TALKS.spanish.id) })
    expect([status, DefaultResult.parse(data).video_info.video_id]).toEqual([200, SAMPLE_TALKS.spanish.id])
    expect((await admin.get<Markdown>(`/videos/result/${data.job_id}`)).data).toEqual(data)
  })

  test('answers with the error of a job that fails', async () => {
    const { status, error } = await admin.post(PATH, { url: watchUrl(SAMPLE_VIDEOS.ageRestricted.id) })
    expect([status, error.code]).toEqual([422, 'AGE_RESTRICTED'])
  })

  test('answers when the time is up, and the job continues', async () => {
    const { id: videoId } = system.addCopy(SAMPLE_TALKS.portuguese)
    const release = system.platform.hold({ kind: 'timedtext', videoId })
    const { status, error } = await admin.post(`${PATH}?wait=1`, { url: watchUrl(videoId) })
    release()
    expect([status, error.code]).toEqual([504, 'PROCESSING_TIMEOUT'])
    expect((await admin.follow(String(error.details?.job_id))).status).toBe('completed')
  })
})

test('following a job leaves every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
