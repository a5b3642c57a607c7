import { buildStreamError, withJobId } from '../errors.ts'
import type { JobError } from '../generated/types.ts'
import { createOutage, openEvents, streamBroke } from '../http/event-stream.ts'
import { newKey, type RequestOptions, type Transport } from '../http/transport.ts'

/** Longer than the service takes to write any answer. */
export const ANSWER_TIMEOUT_MS = 180_000

interface AskedStream {
  path: string
  body: object
  /** Named by errors, if the question is about a single job. */
  jobId?: string
}

/** Asks a question and yields the events of its answer. A stream that breaks is resumed. */
export async function* streamAnswer<E extends { event: string; data: unknown }>(
  transport: Transport,
  { path, body, jobId }: AskedStream,
  options: RequestOptions,
): AsyncGenerator<E, void> {
  const { signal, idempotencyKey = newKey(), maxRetries } = options
  const call = {
    ...({ ...options, idempotencyKey, method: 'POST', path, creates: true } as const),
    body: { ...body, stream: true },
  }
  // A limit that the call sets itself also counts if the service has answered other calls.
  const service = maxRetries === undefined ? transport : { maxRetries, reached: false }
  const outage = createOutage(service, signal)
  let failure: JobError | undefined
  for (let received = 0; !failure; ) {
    try {
      // With the same key, the service sends the same answer from its beginning.
      const events = await openEvents(transport, call)
      service.reached = true
      for await (const { event, id, data } of events ?? []) {
        if (event === 'error') failure = JSON.parse(data) as JobError
        if (failure) break
        if (Number(id) <= received) continue
        outage.over()
        received = Number(id)
        yield { event, data: JSON.parse(data) } as E
        if (event === 'done') return
      }
      if (!failure) throw streamBroke()
    } catch (error) {
      await (jobId === undefined ? outage.endure(error) : withJobId(jobId, () => outage.endure(error)))
    }
  }
  // The service would repeat this error: only another question makes it write a failed answer again.
  throw Object.assign(buildStreamError(failure), jobId === undefined ? {} : { jobId })
}
