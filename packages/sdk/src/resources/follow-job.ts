import { SubtextError, withJobId } from '../errors.ts'
import type { CompletedJob, FinishedSummary, Job } from '../generated/types.ts'
import { withDeadline } from '../http/deadline.ts'
import { encodeId } from '../http/encode-id.ts'
import { createOutage, openEvents, streamBroke } from '../http/event-stream.ts'
import type { ServerEvent } from '../http/read-events.ts'
import { sleep } from '../http/sleep.ts'
import type { Transport } from '../http/transport.ts'

/** An event of a job, with the ID by which the stream can be resumed. */
export type JobEvent =
  | { event: 'progress'; id: string; data: Job }
  | { event: 'summary'; id: string; data: FinishedSummary }
  | { event: 'completed'; id: string; data: CompletedJob }
  | { event: 'failed'; id: string; data: Job }

export interface EventsOptions {
  signal?: AbortSignal
  /** ID of the last event that was received; the stream continues after it. */
  lastEventId?: string
}

export interface WaitOptions {
  signal?: AbortSignal
  /** Maximum time to wait for the end of the job, in milliseconds. Default: unlimited. */
  timeoutMs?: number
  /** Called with the job whenever its status, step or percentage has changed. */
  onProgress?: (job: Job) => void
  /** Called with each summary as soon as it is written. */
  onSummary?: (summary: FinishedSummary) => void
}

const LONG_POLL_SECONDS = 30
const LONG_POLL_TIMEOUT_MS = (LONG_POLL_SECONDS + 15) * 1_000
/** Minimum time between two requests for the status: a server that shuts down, or a proxy, may respond too early. */
const MIN_POLL_INTERVAL_MS = 25_000
/** Number of streams that may end without an event before `waitForJob` polls the status instead: a proxy may hold them back. */
const MAX_EMPTY_STREAMS = 2

const hasEnded = (job: Job): boolean => job.status === 'completed' || job.status === 'failed'
const isLast = ({ event }: ServerEvent): boolean => event === 'completed' || event === 'failed'

const openStream = (transport: Transport, jobId: string, { signal, lastEventId }: EventsOptions) =>
  openEvents(transport, {
    method: 'GET',
    path: `/videos/events/${encodeId(jobId)}`,
    headers: lastEventId ? { 'Last-Event-ID': lastEventId } : {},
    signal,
  })

/** Follows a job to its end, and resumes the stream when it breaks. */
export async function* followJob(
  transport: Transport,
  jobId: string,
  { signal, lastEventId }: EventsOptions = {},
): AsyncGenerator<JobEvent> {
  const outage = createOutage(transport, signal)
  let id = lastEventId
  for (;;) {
    await outage.pace()
    try {
      const stream = await openStream(transport, jobId, { signal, lastEventId: id })
      if (!stream) return
      let received = false
      for await (const event of stream) {
        outage.over()
        received = true
        id = event.id
        yield { event: event.event, id, data: JSON.parse(event.data) } as JobEvent
        if (isLast(event)) return
      }
      // A server that shuts down ends its streams; the next one continues.
      if (!received) throw streamBroke()
    } catch (error) {
      await withJobId(jobId, () => outage.endure(error))
    }
  }
}

/**
 * Waits until a job has completed or failed, and returns it. Follows its event stream; where streams do not get through, asks
 * for the status, at most once in 25 seconds. Survives deployments and outages of up to two minutes of a service that has
 * answered this client before.
 */
export async function waitForJob(transport: Transport, jobId: string, options: WaitOptions = {}): Promise<Job> {
  const { timeoutMs } = options
  return withJobId(jobId, () =>
    withDeadline(options, `Job ${jobId} did not end within ${timeoutMs} ms. It continues to run.`, async (signal) => {
      return (
        (await watch(transport, jobId, { ...options, signal })) ??
        (await poll(transport, jobId, { ...options, signal }))
      )
    }),
  )
}

/** Follows the streams of a job. Returns the ended job, or undefined if streams deliver nothing. */
async function watch(
  transport: Transport,
  jobId: string,
  { signal, onProgress, onSummary }: WaitOptions,
): Promise<Job | undefined> {
  const outage = createOutage(transport, signal)
  let lastEventId: string | undefined
  for (let empty = 0; empty < MAX_EMPTY_STREAMS; ) {
    await outage.pace()
    try {
      const stream = await openStream(transport, jobId, { signal, lastEventId })
      empty++
      for await (const event of stream ?? []) {
        outage.over()
        empty = 0
        lastEventId = event.id
        const data = JSON.parse(event.data)
        if (event.event === 'summary') onSummary?.(data)
        else onProgress?.(data)
        if (isLast(event)) return data
      }
    } catch (error) {
      // A proxy that answers in place of the stream may let the status through.
      if (error instanceof SubtextError && error.code === 'INVALID_RESPONSE') empty++
      else await outage.endure(error)
    }
  }
  return undefined
}

async function poll(transport: Transport, jobId: string, { signal, onProgress }: WaitOptions): Promise<Job> {
  const outage = createOutage(transport, signal)
  let last = ''
  for (;;) {
    const startedAt = performance.now()
    try {
      const job = await transport.json<Job>({
        method: 'GET',
        path: `/videos/status/${encodeId(jobId)}`,
        query: { wait: LONG_POLL_SECONDS },
        timeoutMs: LONG_POLL_TIMEOUT_MS,
        // The interval between requests is kept, even after failures.
        maxRetries: 0,
        signal,
      })
      outage.over()
      const now = JSON.stringify([job.status, job.current_step, job.progress_percentage])
      if (now !== last) onProgress?.(job)
      last = now
      if (hasEnded(job)) return job
    } catch (error) {
      await outage.endure(error)
    }
    await sleep(MIN_POLL_INTERVAL_MS - (performance.now() - startedAt), signal)
  }
}
