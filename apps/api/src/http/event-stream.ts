import { ServiceError } from '@subtext/contracts'
import { createEventBuffer } from 'better-sse'
import type { Response } from 'express'

export interface ServerEvent {
  name: string
  /** What the reader has once it has this event. */
  id: string
  data: unknown
}

const RECONNECT_MS = 2_000
const HEARTBEAT_MS = 15_000
/** A reader that takes nothing for so long will not come back for the rest. */
const STALLED_READER_MS = 60_000

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until there are no
 * more. `batches` ends by itself when the reader leaves; what it throws before the first batch is still an ordinary
 * error. Null says that the reader has everything: at first that is `204`, which tells a browser not to reconnect.
 *
 * The library writes the format only: its session builds a URL of the `Host` header, and a malformed one would be a
 * failure of ours.
 */
export async function sendEvents(
  response: Response,
  batches: AsyncIterable<ServerEvent[] | null>,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  let heartbeat: NodeJS.Timeout | undefined
  try {
    for await (const batch of batches) {
      if (!batch) break
      if (!heartbeat) {
        begin(response)
        if (response.req.method === 'HEAD') break
        heartbeat = setInterval(() => write(response, createEventBuffer().comment().dispatch()), heartbeatMs)
      }
      const buffer = createEventBuffer()
      for (const { name, id, data } of batch) buffer.event(name).id(id).data(data).dispatch()
      if (batch.length > 0 && !write(response, buffer)) await untilTaken(response)
    }
  } finally {
    clearInterval(heartbeat)
  }
  if (!response.headersSent) response.status(204)
  response.end()
}

function begin(response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream')
  // Compressed, events would wait for each other.
  response.setHeader('Cache-Control', 'no-store, no-transform')
  response.setHeader('X-Accel-Buffering', 'no')
  write(response, createEventBuffer().retry(RECONNECT_MS).dispatch())
}

/** The standard makes the space after it optional; not all readers know. Values are single lines. */
const FIELD = /^(?:event|id|data|retry):/gm

/** False: the reader is behind. */
const write = (response: Response, buffer: ReturnType<typeof createEventBuffer>): boolean =>
  response.destroyed || response.writableEnded || response.write(buffer.read().replace(FIELD, '$& '))

const untilTaken = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), STALLED_READER_MS)
    const goOn = (): void => {
      clearTimeout(stalled)
      response.off('drain', goOn)
      response.off('close', goOn)
      resolve()
    }
    response.once('drain', goOn)
    response.once('close', goOn)
  })

/** Takes one of the account's places and returns how to give it back; `RATE_LIMITED` when all are taken. */
export type EnterStream = (userId: string) => () => void

const RETRY_AFTER_SECONDS = 5

/** Bounds how many streams of an account this process holds open. */
export function createStreamPlaces(max: number): EnterStream {
  const open = new Map<string, number>()
  return (userId) => {
    const count = (open.get(userId) ?? 0) + 1
    if (count > max) {
      throw new ServiceError('RATE_LIMITED', {
        message: `At most ${max} event streams of an account may be open at once.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    open.set(userId, count)
    return () => {
      const left = (open.get(userId) ?? 1) - 1
      if (left > 0) open.set(userId, left)
      else open.delete(userId)
    }
  }
}
