import { newCall } from '../testing/new-call.ts'
import { EVENT_STREAM, listAnswerEvents, MESSAGE, writeEvents } from '../testing/script-stream.ts'
import { createAnthropicModel } from './anthropic-model.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const USAGE = { input_tokens: 12, output_tokens: 34, cache_creation_input_tokens: 5, cache_read_input_tokens: 6 }
const WHOLE_MESSAGE = {
  ...MESSAGE,
  content: [
    { type: 'thinking', thinking: 'hm', signature: '' },
    { type: 'text', text: 'One,\n"two" ' },
    { type: 'text', text: 'three.' },
  ],
  usage: USAGE,
}

/** Calls a gateway that answers every request with `body`: a string as it is, anything else as JSON. */
async function ask(body: unknown, status = 200, headers: Record<string, string> = JSON_TYPE) {
  let calls = 0
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    async fetch() {
      calls++
      const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
      return new Response(bytes, { status, headers: { ...headers, 'x-should-retry': 'false' } })
    },
  })
  let starts = 0
  const answer = await model.complete(newCall({ onStart: () => starts++ })).catch((error) => error.code)
  return { answer, starts, calls }
}

test('accepts a whole message from a gateway that does not stream', async () => {
  expect(await ask(WHOLE_MESSAGE)).toEqual({
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
])('accepts a whole message that ends with %s', async (stop_reason, stop) => {
  expect(await ask({ ...WHOLE_MESSAGE, content: [], stop_reason })).toMatchObject({ answer: { text: '', stop } })
})

test('reports a usage of zero for a gateway that counts no tokens', async () => {
  const { answer } = await ask({ content: [{ type: 'text', text: 'One.' }] })
  expect(answer).toMatchObject({ text: 'One.', stop: 'complete', usage: { inputTokens: 0, outputTokens: 0 } })
})

test('fails when the response is not a message', async () => {
  expect((await ask({ type: 'error', error: { type: 'invalid_request_error' } }, 400)).answer).toBe(
    'SUMMARY_UNAVAILABLE',
  )
  expect((await ask({ hello: 'world' })).answer).toBe('SUMMARY_UNAVAILABLE')
})

test.each<Record<string, string>>([{ 'content-type': 'Application/JSON' }, { 'content-type': 'text/plain' }, {}])(
  'accepts a whole message sent with the headers %j',
  async (headers) => {
    expect((await ask(WHOLE_MESSAGE, 200, headers)).answer).toMatchObject({ stop: 'complete' })
  },
)

test('treats a whole message without a stop reason as complete', async () => {
  expect((await ask({ ...WHOLE_MESSAGE, stop_reason: null })).answer).toMatchObject({ stop: 'complete' })
})

const counts = (inputTokens: number, outputTokens: number, cacheWriteTokens = 0, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheWriteTokens,
  cachedInputTokens,
})

test.each([
  ['complete', USAGE, { output_tokens: 34 }, counts(12, 34, 5, 6)],
  ['repeated at the end', USAGE, { ...USAGE, input_tokens: 13 }, counts(13, 34, 5, 6)],
  ['missing', undefined, undefined, counts(0, 0)],
  ['null', null, null, counts(0, 0)],
  ['without the cache', { input_tokens: 12 }, { output_tokens: 34 }, counts(12, 34)],
  ['not numbers', { input_tokens: '12' }, { output_tokens: [] }, counts(0, 0)],
  ['negative', { input_tokens: -12 }, { output_tokens: -34 }, counts(0, 0)],
  ['fractions', { input_tokens: 1.5 }, { output_tokens: 34.5 }, counts(0, 0)],
  ['absurdly high', { input_tokens: 1e12 }, { output_tokens: 1e300 }, counts(0, 0)],
])('accepts a stream whose token counts are %s', async (_, start, end, usage) => {
  for (const type of [
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    'application/octet-stream',
    'text/plain',
  ]) {
    const events = writeEvents(listAnswerEvents('One "message_delta".', start, end))
    const { answer, starts, calls } = await ask(events, 200, { 'content-type': type })
    expect({ answer, starts: starts > 0, calls }).toEqual({
      answer: { text: 'One "message_delta".', stop: 'complete', usage },
      starts: true,
      calls: 1,
    })
  }
})

test('accepts events in chunks of any size', async () => {
  const events = listAnswerEvents('Öne 🐝 "message_delta".', USAGE, { output_tokens: 34 })
  const bytes = new TextEncoder().encode(writeEvents(events))
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    async fetch() {
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      return new Response(body, { headers: EVENT_STREAM })
    },
  })
  const answer = await model.complete(newCall())
  expect(answer).toEqual({ text: 'Öne 🐝 "message_delta".', stop: 'complete', usage: counts(12, 34, 5, 6) })
})
