import { type MessagesApi, SERVER_KINDS, type ServerKind, startMessagesApi } from '@subtext/fakes'
import { newCall } from '../testing/new-call.ts'
import type { TextModelUsage } from '../text-model.ts'
import { createAnthropicModel } from './anthropic-model.ts'
import { createDialectLearner } from './dialect.ts'

let api: MessagesApi | undefined
afterEach(() => api?.close())

const warnings: object[] = []
beforeEach(() => void warnings.splice(0))

async function connect(
  kind: ServerKind | undefined,
  options: Partial<Parameters<typeof createAnthropicModel>[0]> = {},
) {
  api = await startMessagesApi({ kind })
  const log = { warn: (_: string, fields?: object) => void warnings.push(fields ?? {}), error: () => {} }
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: api.baseUrl,
    model: 'a-model',
    isCompatible: true,
    log,
    ...options,
  })
  return { api, model }
}
const KINDS = (Object.keys(SERVER_KINDS) as ServerKind[]).filter((kind) => SERVER_KINDS[kind].contextTokens > 10_000)

test.each(KINDS)('%s: gets the same answer, notices once what is missing, and then asks once', async (kind) => {
  const { api, model } = await connect(kind)
  const lost: TextModelUsage[] = []
  const first = await model.complete(newCall({ onFailedAttempt: (usage) => lost.push(usage) }))
  expect(first.stop).toBe('complete')
  expect(JSON.parse(first.text).tldr[0].sentences[0]).toEqual({ text: 'one two three', segment_ids: [1, 2, 3] })
  const calls = api.calls.length
  // Refused requests are not answered; an answer that was worth nothing has been reported.
  expect(lost).toHaveLength(calls - 1)
  expect(calls).toBeLessThanOrEqual(2)
  const noticed = warnings.length

  const second = await model.complete(newCall({ instruction: 'Write the summary "detailed".' }))
  expect(JSON.parse(second.text).detailed).toHaveLength(1)
  expect(api.calls).toHaveLength(calls + 1)
  expect(warnings).toHaveLength(noticed)
})

test.each<[ServerKind, string[]]>([
  ['no schema', ['schema, documents']],
  ['no cache counts', []],
  ['no documents', ['documents']],
  ['documents dropped', ['documents']],
  ['strict about fields', ['documents', 'schema', 'effort', 'cache']],
  ['no effort', ['effort', 'schema, documents']],
  ['Ollama', ['schema, documents']],
  ['llama.cpp', ['schema, documents']],
  ['vLLM', ['documents']],
  ['LiteLLM', ['documents']],
])('%s: logs the features that the server lacks', async (kind, features) => {
  const { model } = await connect(kind)
  await model.complete(newCall())
  expect(warnings).toEqual(features.map((missing) => ({ model: 'a-model', features: missing })))
})

test('puts the schema into the prompt, only as much of it as this answer needs', async () => {
  const { api, model } = await connect('no schema')
  const plainSchema = { type: 'object', properties: { tldr: newCall().schema }, required: ['tldr'] }
  await model.complete(newCall({ plainSchema }))
  const { body, instruction } = api.calls[1] ?? {}
  expect(instruction).toContain(JSON.stringify(plainSchema))
  expect(body?.output_config).toEqual({ effort: 'medium' })
  expect(JSON.stringify(body?.messages)).not.toContain('"document"')
})

test('learns while several calls are under way', async () => {
  const { api, model } = await connect('strict about fields')
  const answers = await Promise.all(Array.from({ length: 8 }, () => model.complete(newCall())))
  expect(answers.every(({ stop }) => stop === 'complete')).toBe(true)
  expect(api.calls).toHaveLength(8)
})

test('never blames a server for one answer without JSON after it has followed a schema', async () => {
  const { api, model } = await connect(undefined)
  await model.complete(newCall())
  api.failNext({ kind: 'answer', text: 'Sorry, no.' })
  expect((await model.complete(newCall())).text).toBe('Sorry, no.')
  expect(warnings).toEqual([])
  expect(api.calls.at(-1)?.body.output_config?.format).toBeDefined()
})

test("takes the provider's own API at its word", async () => {
  const { api, model } = await connect('no documents', { isCompatible: false })
  await expect(model.complete(newCall())).rejects.toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
  expect(api.calls).toEqual([])
})

test('does not ask again for text that was passed on already', async () => {
  const { api, model } = await connect('documents dropped')
  const pieces: string[] = []
  const call = newCall({ schema: undefined, onText: (text) => pieces.push(text), mayRetry: () => false })
  await model.complete(call)
  expect(api.calls).toHaveLength(1)
  await model.complete(call)
  expect(api.calls[1]?.body.messages[0]?.content[0]).toMatchObject({ type: 'text' })
})

test('keeps prompt and answer within the context window', async () => {
  const { api, model } = await connect('4,096 tokens of context with schemas', { contextTokens: 4_096 })
  expect((await model.complete(newCall())).stop).toBe('complete')
  expect(api.calls[0]?.body.max_tokens).toBeLessThan(2_000)
  expect(await model.complete(newCall({ document: 'a '.repeat(8_000) }))).toMatchObject({ stop: 'too-long', text: '' })
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['vLLM', "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."],
  ["llama.cpp's server", 'the request exceeds the available context size. try increasing the context size'],
  [
    "llama.cpp's server, with its counts",
    'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
  ],
  ['Ollama', 'the input length exceeds the context length'],
  [
    'Ollama, where it does not shift the context',
    'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
  ],
  ['LiteLLM', 'litellm.ContextWindowExceededError: prompt too large'],
])('understands that a prompt is too long for %s', async (_, message) => {
  const { api, model } = await connect(undefined)
  api.failNext({ status: 400, message })
  expect(await model.complete(newCall())).toMatchObject({ stop: 'too-long' })
})

describe('the tokens that a server counts', () => {
  const answerWith = (inputTokens: number) => ({
    text: '',
    stop: 'complete' as const,
    usage: { inputTokens, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0 },
  })
  const prompt = newCall({ schema: undefined })
  const PLAIN = { schema: false, effort: false, cache: false, documents: false }
  const learn = (...counts: number[]) => {
    const learner = createDialectLearner(() => {})
    return counts.map((count) => learner.learnFromAnswer(prompt, PLAIN, answerWith(count)))
  }

  test('tell that a prompt was cut', () => {
    expect(learn(100)).toEqual(['cut'])
  })

  test('are no proof if the server counts nothing, or only what it has not read before', () => {
    expect(learn(0)).toEqual(['ok'])
    expect(learn(5_000, 100)).toEqual(['ok', 'ok'])
  })
})

test('learns only from what a server says, not from the transcript that it repeats', async () => {
  const { model } = await connect('vLLM')
  const words = 'My effort at "effort": prompt caching, structured output, json_schema and English grammar. '
  await model.complete(newCall({ document: newCall().document.replace('one', words.repeat(3)) }))
  expect(warnings).toEqual([{ model: 'a-model', features: 'documents' }])
})

test.each<ServerKind>(['Ollama', 'llama.cpp', 'vLLM', 'LiteLLM'])(
  '%s: asks again after an error within the stream, in whatever form',
  async (kind) => {
    const { api, model } = await connect(kind)
    await model.complete(newCall())
    const before = api.calls.length
    api.failNext({ kind: 'stream-error' })
    expect((await model.complete(newCall())).stop).toBe('complete')
    expect(api.calls).toHaveLength(before + 2)
  },
)

test('keeps using all features after an error of the server itself', async () => {
  const { api, model } = await connect(undefined)
  api.failNext({ status: 500, message: 'Unexpected key in the state of a worker.', headers: { 'retry-after-ms': '1' } })
  await model.complete(newCall())
  expect(api.calls.at(-1)?.body.output_config?.format).toBeDefined()
})
