import { buildErrorBody, ServiceError } from '@subtext/contracts'
import type { ChatExchange } from '@subtext/core/chats'
import type { ApiContext } from '../context.ts'
import { translateError } from '../http/errors.ts'
import type { SentEvent } from '../http/event-stream.ts'
import { createPiecePresenter, notInVideo, presentChatAnswer } from '../presenters/chat.ts'
import type { WrittenPart } from './answer-feed.ts'
import type { RunningAnswer } from './answer-writer.ts'

/**
 * Yields the events of an answer: its sentences and citations as they are written, and its end. Ends early when `signal`
 * aborts; the answer is still written to its end. If the signal's reason is a `ServiceError`, such as a revoked key, it is
 * thrown.
 */
export async function* streamAnswer(
  ctx: ApiContext,
  { place, parts, done }: RunningAnswer & { place: string | null },
  signal: AbortSignal,
): AsyncGenerator<SentEvent[]> {
  const events = createEvents(place)
  // Sends the headers, so that nothing on the way gives up while the model reads.
  yield []
  let isEmpty = true
  for await (const part of parts(signal)) {
    isEmpty = false
    yield events.ofPart(part)
  }
  const ended = await Promise.race([settle(done), untilAborted(signal)])
  if (signal.reason instanceof ServiceError) throw signal.reason
  if (!ended) return
  if ('error' in ended || !ended.exchange.answer) {
    const error = 'error' in ended ? translateError(ended.error) : new ServiceError('SERVICE_UNAVAILABLE')
    if (error.cause !== undefined) ctx.log.error('answer failed', { error: error.cause })
    const { docs_url, ...body } = buildErrorBody(error, ctx.http.publicBaseUrl)
    yield [events.create('error', body)]
    return
  }
  const { answer } = ended.exchange
  if (answer.kind === 'not_in_video') yield [events.create('delta', { text: notInVideo(place, answer) })]
  // Another process has written it.
  else if (isEmpty) for (const part of answer.parts) yield events.ofPart({ kind: answer.kind, part })
  const complete = presentChatAnswer(place, { ...ended.exchange, answer })
  yield [events.create('done', { ...complete, ...(answer.warnings.length > 0 && { warnings: answer.warnings }) })]
}

function createEvents(place: string | null) {
  let id = 0
  let present: ReturnType<typeof createPiecePresenter> | undefined
  const create = (name: string, data: unknown): SentEvent => ({ name, id: String(++id), data })
  return {
    create,
    ofPart({ kind, part }: WrittenPart): SentEvent[] {
      present ??= createPiecePresenter(place, kind)
      const { text, citations } = present(part)
      return [create('delta', { text }), ...citations.map((citation) => create('citation', citation))]
    },
  }
}

type Ended = { exchange: ChatExchange } | { error: unknown }

const settle = (done: Promise<ChatExchange>): Promise<Ended> =>
  done.then(
    (exchange) => ({ exchange }),
    (error: unknown) => ({ error }),
  )

const untilAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
