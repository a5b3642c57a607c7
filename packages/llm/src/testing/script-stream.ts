/** A streamed response whose events the test sends, so that nothing depends on the speed of the machine. */
export interface ScriptedStream {
  response: Response
  send(text: string): void
  close(): void
  fail(error: unknown): void
  /** Returns whether the reader has cancelled the stream. */
  isCancelled(): boolean
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

export function scriptStream(headers: Record<string, string> = EVENT_STREAM): ScriptedStream {
  let isCancelled = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(created) {
      controller = created
    },
    cancel() {
      isCancelled = true
    },
  })
  return {
    response: new Response(body, { headers }),
    send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
    fail: (error) => controller?.error(error),
    isCancelled: () => isCancelled,
  }
}

/** Server-sent events as they are on the wire. */
export const writeEvents = (events: { type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

export const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  stop_sequence: null,
}

/** The events of an answer, with its usage at the beginning and at the end. */
export const listAnswerEvents = (text: string, start: unknown, end: unknown) => [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: start } },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: end },
  { type: 'message_stop' },
]
