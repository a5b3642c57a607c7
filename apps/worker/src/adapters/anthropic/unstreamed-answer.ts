import { z } from 'zod'

const count = z.int().nonnegative().catch(0)

const Message = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable().default('end_turn'),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }).catch({ input_tokens: 0, output_tokens: 0 }),
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

/**
 * A fetch for calls that all ask for a stream: gateways that know no streams answer with the whole message, which is given
 * as the events that a stream of it would have had.
 */
export const acceptUnstreamed =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json')) return response
    const text = await response.text()
    const message = Message.safeParse(parseJson(text))
    if (!message.success) return new Response(text, response)
    const events = listEvents(message.data).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
