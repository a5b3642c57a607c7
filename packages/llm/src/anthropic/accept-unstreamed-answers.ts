import { z } from 'zod'
import { parseJson } from '../plain-json.ts'
import { isStream } from './is-stream.ts'
import { normalizeCounts, TokenCounts } from './token-counts.ts'

const Message = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  // An answer without a stop reason counts as complete.
  stop_reason: z
    .string()
    .nullish()
    .transform((reason) => reason ?? 'end_turn'),
  usage: TokenCounts,
})
type Message = z.infer<typeof Message>

interface StreamEvent {
  type: string
  [field: string]: unknown
}

const listBlockEvents = (block: Message['content'][number], index: number): StreamEvent[] => {
  const end = { type: 'content_block_stop', index }
  if (block.type !== 'text') return [{ type: 'content_block_start', index, content_block: block }, end]
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: String(block.text ?? '') } },
    end,
  ]
}

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const listEvents = (message: Message): StreamEvent[] => [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  ...message.content.flatMap(listBlockEvents),
  { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage },
  { type: 'message_stop' },
]

function toEventStream(body: ReadableStream<string>, response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', 'text/event-stream')
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(body.pipeThrough(normalizeCounts()).pipeThrough(new TextEncoderStream()), { headers })
}

/**
 * Returns a fetch that accepts whole messages as well as streams. All calls request a stream, but some gateways do not support
 * streams and answer with the whole message. Such a message is turned into the events that a stream would have had. Answers of
 * gateways that do not count tokens have a usage of zero.
 */
export const acceptUnstreamedAnswers =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!response.ok || !response.body) return response
    if (isStream(response)) return toEventStream(response.body.pipeThrough(new TextDecoderStream()), response)
    const text = await response.text()
    const message = Message.safeParse(parseJson(text))
    if (!message.success) return toEventStream(createStream(text), response)
    return toEventStream(createStream(listEvents(message.data).map(writeEvent).join('')), response)
  }

const writeEvent = (event: StreamEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const createStream = (text: string): ReadableStream<string> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(text)
      controller.close()
    },
  })
