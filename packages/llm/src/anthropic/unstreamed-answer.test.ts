import { createAnthropicModel } from '../anthropic.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const USAGE = { input_tokens: 12, output_tokens: 34, cache_creation_input_tokens: 5, cache_read_input_tokens: 6 }
const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
  content: [
    { type: 'thinking', thinking: 'hm', signature: '' },
    { type: 'text', text: 'One,\n"two" ' },
    { type: 'text', text: 'three.' },
  ],
  usage: USAGE,
}

/** What comes of a gateway that answers every call with this: a text as it is, anything else as JSON. */
async function ask(body: unknown, status = 200, type: Record<string, string> = JSON_TYPE) {
  let calls = 0
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    async fetch() {
      calls++
      const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
      return new Response(bytes, { status, headers: { ...type, 'x-should-retry': 'false' } })
    },
  })
  let starts = 0
  const answer = await model
    .complete({
      ...{ system: 's', document: 'd', instruction: 'i', schema: {}, isShared: false, maxOutputTokens: 9 },
      signal: new AbortController().signal,
      onStart: () => starts++,
    })
    .catch((error) => error.code)
  return { answer, starts, calls }
}

test('a gateway that knows no streams is understood', async () => {
  expect(await ask(MESSAGE)).toEqual({
    answer: {
      text: 'One,\n"two" three.',
      stop: 'complete',
      usage: { inputTokens: 12, outputTokens: 34, cacheWriteTokens: 5, cachedInputTokens: 6 },
    },
    starts: 1,
    calls: 1,
  })
})

test.each([
  ['refusal', 'refused'],
  ['max_tokens', 'cut'],
])('it may end with %s, too', async (stop_reason, stop) => {
  expect(await ask({ ...MESSAGE, content: [], stop_reason })).toMatchObject({ answer: { text: '', stop } })
})

test('one that counts no tokens has used none', async () => {
  const { answer } = await ask({ content: [{ type: 'text', text: 'One.' }] })
  expect(answer).toMatchObject({ text: 'One.', stop: 'complete', usage: { inputTokens: 0, outputTokens: 0 } })
})

test('what is no message stays a failure', async () => {
  expect((await ask({ type: 'error', error: { type: 'invalid_request_error' } }, 400)).answer).toBe(
    'SUMMARY_UNAVAILABLE',
  )
  expect((await ask({ hello: 'world' })).answer).toBe('SUMMARY_UNAVAILABLE')
})

test.each([[{ 'content-type': 'Application/JSON' }], [{ 'content-type': 'text/plain' }], [{}]])(
  'a whole message as %j is understood',
  async (type) => {
    expect((await ask(MESSAGE, 200, type as Record<string, string>)).answer).toMatchObject({ stop: 'complete' })
  },
)

test('a whole message without a reason for its end is complete', async () => {
  expect((await ask({ ...MESSAGE, stop_reason: null })).answer).toMatchObject({ stop: 'complete' })
})

const writeEvents = (start: unknown, end: unknown): string =>
  [
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: start } },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One "message_delta".' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: end },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

const counts = (inputTokens: number, outputTokens: number, cacheWriteTokens = 0, cachedInputTokens = 0) => ({
  ...{ inputTokens, outputTokens, cacheWriteTokens, cachedInputTokens },
})

test.each([
  ['whole', USAGE, { output_tokens: 34 }, counts(12, 34, 5, 6)],
  ['told anew at the end', USAGE, { ...USAGE, input_tokens: 13 }, counts(13, 34, 5, 6)],
  ['missing', undefined, undefined, counts(0, 0)],
  ['null', null, null, counts(0, 0)],
  ['without those of the cache', { input_tokens: 12 }, { output_tokens: 34 }, counts(12, 34)],
  ['no numbers', { input_tokens: '12' }, { output_tokens: [] }, counts(0, 0)],
  ['below zero', { input_tokens: -12 }, { output_tokens: -34 }, counts(0, 0)],
  ['fractions', { input_tokens: 1.5 }, { output_tokens: 34.5 }, counts(0, 0)],
  ['beyond all measure', { input_tokens: 1e12 }, { output_tokens: 1e300 }, counts(0, 0)],
])('a stream whose counts are %s is an answer', async (_, start, end, usage) => {
  for (const type of [
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    'application/octet-stream',
    'text/plain',
  ]) {
    const { answer, starts, calls } = await ask(writeEvents(start, end), 200, { 'content-type': type })
    expect({ answer, starts: starts > 0, calls }).toEqual({
      answer: { text: 'One "message_delta".', stop: 'complete', usage },
      starts: true,
      calls: 1,
    })
  }
})

test('events may come in pieces of any size', async () => {
  const text = writeEvents({ ...USAGE, input_tokens: 12 }, { output_tokens: 34 }).replaceAll('One', 'Öne 🐝')
  const bytes = new TextEncoder().encode(text)
  const model = createAnthropicModel({
    ...{ apiKey: 'k', baseUrl: 'http://127.0.0.1:9', model: 'm' },
    async fetch() {
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const answer = await model.complete({
    ...{ system: 's', document: 'd', instruction: 'i', schema: {}, isShared: false, maxOutputTokens: 9 },
    signal: new AbortController().signal,
  })
  expect(answer).toEqual({ text: 'Öne 🐝 "message_delta".', stop: 'complete', usage: counts(12, 34, 5, 6) })
})
