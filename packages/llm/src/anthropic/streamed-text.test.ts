import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createCostComputer } from '../model-prices.ts'
import { newCall } from '../testing/new-call.ts'
import { createAnthropicModel } from './anthropic-model.ts'

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

const MODEL = 'claude-haiku-5-5'
const connect = () => createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model: MODEL })
const TURNS = [
  { role: 'user', text: 'Why?' },
  { role: 'assistant', text: 'Because.' },
  { role: 'user', text: 'Since when?' },
] as const
const newQuestion = (overrides: Parameters<typeof newCall>[0] = {}) =>
  newCall({ schema: undefined, turns: TURNS, cacheDocument: '1h', ...overrides })

test('sends a conversation after the instruction, without a schema', async () => {
  const call = newQuestion()
  await connect().complete(call)
  const body = api.calls[0]?.body
  expect(body?.output_config).toEqual({ effort: 'medium' })
  expect(body?.messages).toEqual([
    {
      role: 'user',
      content: [
        expect.objectContaining({ type: 'document', cache_control: { type: 'ephemeral', ttl: '1h' } }),
        { type: 'text', text: call.instruction },
        { type: 'text', text: 'Why?' },
      ],
    },
    { role: 'assistant', content: 'Because.' },
    { role: 'user', content: 'Since when?' },
  ])
})

test('delivers text before the answer is complete', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  api.failNext({ kind: 'pieces', pieces: ['One. ', held, 'Two.'] })
  const texts: string[] = []
  const answer = await connect().complete(
    newQuestion({
      onText(text) {
        texts.push(text)
        // The second piece is sent only now.
        release()
      },
    }),
  )
  expect(texts).toEqual(['One. ', 'Two.'])
  expect(answer).toMatchObject({ text: 'One. Two.', stop: 'complete' })
})

test('starts the text again with each attempt, as long as the caller allows another one', async () => {
  api.failNext({ kind: 'pieces', pieces: ['Half of'], end: 'dropped' })
  api.failNext({ kind: 'answer', text: 'Whole.' })
  let text = ''
  await connect().complete(
    newQuestion({
      onSend: () => {
        text = ''
      },
      onText: (piece) => {
        text += piece
      },
    }),
  )
  expect([text, api.calls.length]).toEqual(['Whole.', 2])

  api.failNext({ kind: 'pieces', pieces: ['Half of'], end: 'dropped' })
  const failed = connect().complete(newQuestion({ mayRetry: () => false }))
  await expect(failed).rejects.toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
  expect(api.calls).toHaveLength(3)
})

test('reports what the provider keeps for an hour, and prices it twice as high as other input', async () => {
  const { usage } = await connect().complete(newQuestion())
  expect(usage.cacheWriteTokens).toBeGreaterThan(0)
  expect(usage.hourCacheWriteTokens).toBe(usage.cacheWriteTokens)
  const fiveMinutes = await connect().complete(newQuestion({ cacheDocument: '5m' }))
  expect(fiveMinutes.usage).not.toHaveProperty('hourCacheWriteTokens')

  const price = createCostComputer()
  const written = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 1_000_000 }
  // The whole prompt is above the limit for the lower prices of this model.
  expect(price(MODEL, { ...written, hourCacheWriteTokens: 1_000_000 })).toBeCloseTo(1)
  expect(price('claude-haiku-4-5', { ...written, hourCacheWriteTokens: 400_000 })).toBeCloseTo(0.6 * 1.25 + 0.4 * 2)
})

test.each([
  [{ cache_creation_input_tokens: 50 }, 50],
  [{ cache_creation_input_tokens: 50, cache_creation: null }, 50],
  [{ cache_creation_input_tokens: 50, cache_creation: { ephemeral_1h_input_tokens: 9e15 } }, undefined],
  [{ cache_creation_input_tokens: 50, cache_creation: { ephemeral_1h_input_tokens: 70 } }, 50],
  [{ cache_creation_input_tokens: 50, cache_creation: { ephemeral_1h_input_tokens: 20 } }, 20],
  [{ cache_creation_input_tokens: 50, cache_creation: 'yes' }, 50],
])('reads the duration from counts such as %j', async (counts, expected) => {
  const message = {
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1, ...counts },
  }
  const model = createAnthropicModel({
    apiKey: 'k',
    model: MODEL,
    baseUrl: 'http://gateway.invalid',
    fetch: async () => Response.json(message),
  })
  const { usage } = await model.complete(newQuestion())
  expect([usage.cacheWriteTokens, usage.hourCacheWriteTokens]).toEqual([50, expected])
})
