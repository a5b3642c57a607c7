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

/** What comes of a gateway that answers every call with this. */
async function ask(body: unknown, status = 200) {
  let calls = 0
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    async fetch() {
      calls++
      return new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, 'x-should-retry': 'false' } })
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
