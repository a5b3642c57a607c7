import { ConnectionError, SubtextError } from '../errors.ts'
import { readEvents, type ServerEvent } from './read-events.ts'
import { pauseMs, sleep } from './sleep.ts'
import { type Call, canRetry, type Transport } from './transport.ts'

/** The server sends a comment every 15 seconds. A stream that is silent for longer than this is dead. */
const SILENCE_MS = 45_000
/** Time without any answer after which the server counts as unavailable. Longer than a deployment takes. */
const OUTAGE_MS = 120_000
/** Minimum time between the openings of two streams: a server may end each at once, or after its first event. */
const MIN_STREAM_INTERVAL_MS = 500

/** The error of a stream that ended before its last event. */
export const streamBroke = (cause?: unknown): SubtextError =>
  new ConnectionError('The event stream broke.', { code: 'CONNECTION_ERROR', retryable: true, cause })

/**
 * Opens a stream of events, in one attempt. Returns undefined if the server has nothing more to send (204). Reading throws a
 * retryable error when the stream breaks or has been silent for too long.
 */
export async function openEvents(
  transport: Transport,
  call: Call,
): Promise<AsyncGenerator<ServerEvent, void> | undefined> {
  const connection = new AbortController()
  const { status, body, headers } = await transport.open({
    ...call,
    headers: { ...call.headers, Accept: 'text/event-stream' },
    signal: call.signal ? AbortSignal.any([call.signal, connection.signal]) : connection.signal,
    maxRetries: 0,
    silenceMs: SILENCE_MS,
  })
  if (status === 204) return undefined
  if (!/^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '')) {
    connection.abort()
    throw new SubtextError('The response is not a stream of events. Check the base URL.', {
      status,
      code: 'INVALID_RESPONSE',
    })
  }
  return body ? readToEnd(body, connection, call.signal) : undefined
}

async function* readToEnd(
  body: ReadableStream<Uint8Array>,
  connection: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void> {
  try {
    yield* readEvents(body)
  } catch (error) {
    signal?.throwIfAborted()
    throw streamBroke(error)
  } finally {
    connection.abort()
  }
}

/**
 * Waits between failures in a row, and throws the last one once the server has not answered for `OUTAGE_MS`. Until it is
 * `reached`, it is more likely that the address is wrong than that the server restarts: throws after `maxRetries` retries.
 */
export function createOutage(service: Pick<Transport, 'reached' | 'maxRetries'>, signal: AbortSignal | undefined) {
  let since: number | undefined
  let attempt = 0
  let next = 0
  return {
    /** Waits until another stream may be opened. */
    async pace(): Promise<void> {
      await sleep(next - performance.now(), signal)
      next = performance.now() + MIN_STREAM_INTERVAL_MS
    },
    /** The server delivers again what was requested. */
    over() {
      since = undefined
      attempt = 0
    },
    async endure(error: unknown): Promise<void> {
      signal?.throwIfAborted()
      if (!canRetry(error)) throw error
      since ??= performance.now()
      if (performance.now() - since > OUTAGE_MS || (!service.reached && attempt >= service.maxRetries)) throw error
      await sleep(pauseMs(attempt++, error.retryAfterMs), signal)
    },
  }
}
