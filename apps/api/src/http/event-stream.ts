import { ServiceError } from '@subtext/contracts'
import { createEventBuffer } from 'better-sse'
import type { Response } from 'express'
import { createTurns, type TurnOptions, type Turns } from './turns.ts'

export interface SentEvent {
  name: string
  /** Describes everything the reader has once it has received this event. */
  id: string
  data: unknown
}

const RECONNECT_MS = 2_000
const HEARTBEATS: TurnOptions = { everyMs: 15_000, count: 15 }
/** A reader that accepts no data for this long is disconnected. */
const STALLED_READER_MS = 60_000

/**
 * Responds with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until `batches` ends.
 * `batches` must end by itself when the reader disconnects; an error that it throws before its first batch is handled like any
 * other error. A batch of null means that the reader has everything. If it is the first batch, the response is `204`, which
 * tells a browser not to reconnect.
 *
 * Only the library's formatter is used: its session builds a URL from the `Host` header, so a malformed header would become
 * an internal error.
 */
export async function sendEvents(
  response: Response,
  batches: AsyncIterable<SentEvent[] | null>,
  heartbeats: Turns<Response> = sharedHeartbeats,
): Promise<void> {
  try {
    for await (const batch of batches) {
      if (!batch) break
      if (!response.headersSent) {
        begin(response)
        if (response.req.method === 'HEAD') break
        heartbeats.add(response)
      }
      const buffer = createEventBuffer()
      for (const { name, id, data } of batch) buffer.event(name).id(id).data(data).dispatch()
      if (batch.length > 0 && !write(response, format(buffer))) await waitForDrain(response)
    }
  } finally {
    heartbeats.delete(response)
  }
  if (!response.headersSent) response.status(204)
  response.end()
}

function begin(response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream')
  // `no-transform` keeps proxies from compressing the stream, which would hold events back.
  response.setHeader('Cache-Control', 'no-store, no-transform')
  response.setHeader('X-Accel-Buffering', 'no')
  write(response, format(createEventBuffer().retry(RECONNECT_MS).dispatch()))
}

/** The standard makes the space after the colon optional, but some readers require it. All values are single lines. */
const FIELD = /^(?:event|id|data|retry):/gm

type EventBuffer = ReturnType<typeof createEventBuffer>

const format = (buffer: EventBuffer): string => buffer.read().replace(FIELD, '$& ')

const HEARTBEAT = format(createEventBuffer().comment().dispatch())

/** Returns false when the reader has fallen behind. */
const write = (response: Response, text: string): boolean =>
  response.destroyed || response.writableEnded || response.write(text)

/** A heartbeat costs several times as much if the process has to wake up for it alone, so streams get theirs in groups. */
export const createHeartbeats = (turns: TurnOptions): Turns<Response> =>
  createTurns(turns, (responses) => {
    for (const response of responses) write(response, HEARTBEAT)
  })

const sharedHeartbeats = createHeartbeats(HEARTBEATS)

const waitForDrain = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), STALLED_READER_MS)
    const finish = (): void => {
      clearTimeout(stalled)
      response.off('drain', finish)
      response.off('close', finish)
      resolve()
    }
    response.once('drain', finish)
    response.once('close', finish)
  })

/** Reserves a stream for an account and returns the function that releases it. Throws `RATE_LIMITED` at the limit. */
export type AcquireStream = (userId: string) => () => void

const RETRY_AFTER_SECONDS = 5

/** Limits how many streams each account has open in this process. `message`: what to do at the limit. */
export function createStreamLimiter(
  maxStreams: number,
  message = `An account can have at most ${maxStreams} event streams open at the same time. Close one first.`,
): AcquireStream {
  const open = new Map<string, number>()
  return (userId) => {
    const count = (open.get(userId) ?? 0) + 1
    if (count > maxStreams) {
      throw new ServiceError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    open.set(userId, count)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const left = (open.get(userId) ?? 1) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    }
  }
}
