import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel } from './anthropic.ts'
import type { TextModelCall } from './text-model.ts'

const ANSWER_SCHEMA = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }

/** Long enough to be cached. */
const LONG = 'More was said. '.repeat(400)
const FAST = { 'retry-after-ms': '1' }

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

const connect = (timeoutMs?: number) =>
  createAnthropicModel({ apiKey: 'test-key', baseUrl: api.baseUrl, model: 'claude-haiku-5-5', timeoutMs })

const aCall = (overrides: Partial<TextModelCall> = {}): TextModelCall => ({
  system: 'Rules.',
  document: `<transcript>\n[1] one\n[2] two\n[3] three\n[4] four\n${LONG}</transcript>`,
  instruction: 'Write the summary "tldr".',
  schema: ANSWER_SCHEMA,
  isShared: true,
  maxOutputTokens: 16_000,
  signal: new AbortController().signal,
  ...overrides,
})

const failureOf = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ServiceError)
  return error as ServiceError
}

test('sends one streaming request with the document as the cached prefix', async () => {
  let starts = 0
  const answer = await connect().complete(aCall({ onStart: () => starts++ }))

  expect(answer.stop).toBe('complete')
  // The thinking block before it is no part of the text.
  expect(JSON.parse(answer.text).tldr[0].sentences[0]).toEqual({ text: 'one two three', segment_ids: [1, 2, 3] })
  expect(starts).toBe(1)
  const { usage } = answer
  expect(usage.cacheWriteTokens).toBeGreaterThan(0)
  // The cached parts are not in it: it is the instruction alone.
  expect(usage.inputTokens).toBeGreaterThan(0)
  expect(usage.inputTokens).toBeLessThan(usage.cacheWriteTokens)
  expect(usage.cachedInputTokens).toBe(0)
  expect(usage.outputTokens).toBeGreaterThan(0)

  const body = api.calls[0]?.body
  expect(body).toMatchObject({
    model: 'claude-haiku-5-5',
    stream: true,
    max_tokens: 16_000,
    system: 'Rules.',
    output_config: { effort: 'medium', format: { type: 'json_schema', schema: ANSWER_SCHEMA } },
  })
  expect(body?.messages).toEqual([
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: aCall().document },
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: aCall().instruction },
      ],
    },
  ])
})

test('another instruction reads the prefix from the cache', async () => {
  const model = connect()
  const first = await model.complete(aCall())
  const second = await model.complete(aCall({ instruction: 'Write the summary "detailed".' }))
  expect(second.usage.cachedInputTokens).toBe(first.usage.cacheWriteTokens)
  expect(second.usage.cacheWriteTokens).toBe(0)
})

test.each([
  ['refusal', 'refused'],
  ['cut', 'cut'],
  ['window-exceeded', 'too-long'],
] as const)('%s is an answer, not an error', async (kind, stop) => {
  api.failNext({ kind })
  expect((await connect().complete(aCall())).stop).toBe(stop)
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['429', { status: 429, headers: FAST }],
  ['529', { status: 529, headers: FAST }],
  ['500', { status: 500, headers: FAST }],
  ['an error within the stream', { kind: 'stream-error' }],
  ['a connection that breaks', { kind: 'dropped' }],
] as const)('goes on after %s', async (_, fault) => {
  api.failNext(fault)
  expect((await connect().complete(aCall())).stop).toBe('complete')
  expect(api.calls).toHaveLength(2)
})

test.each([
  ['529', { status: 529, headers: FAST }],
  ['errors within the stream', { kind: 'stream-error' }],
] as const)('gives up after three tries with %s, for now', async (_, fault) => {
  api.failNext(fault, { times: 9 })
  const error = await failureOf(connect().complete(aCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
  expect(error.message).not.toContain('Scripted')
  expect(api.calls).toHaveLength(3)
})

test('does not wait as long as the provider may ask, but passes the wait on', async () => {
  api.failNext({ status: 429, headers: { 'retry-after': '120' } })
  const error = await failureOf(connect().complete(aCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true, retryAfterSeconds: 120 })
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['a request that is refused', { status: 400 }],
  ['a wrong key', { status: 401 }],
  ['an empty purse', { status: 429, errorCode: 'enforced_spend_limit_reached' }],
  ['an account without money', { status: 402 }],
  ['an account without money, said within the stream', { kind: 'stream-error', errorType: 'billing_error' }],
  ['an invalid request found within the stream', { kind: 'stream-error', errorType: 'invalid_request_error' }],
] as const)('does not try again with %s', async (_, fault) => {
  api.failNext(fault, { times: 9 })
  const error = await failureOf(connect().complete(aCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
  expect(api.calls).toHaveLength(1)
})

test.each(['hang', 'stall'] as const)('ends a try that takes too long (%s)', async (kind) => {
  api.failNext({ kind }, { times: 9 })
  const error = await failureOf(connect(1_500).complete(aCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
  expect(api.calls).toHaveLength(1)
})

test('an unreachable provider is a retryable failure', async () => {
  const closed = await startMessagesApi()
  await closed.close()
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: closed.baseUrl, model: 'm' })
  expect(await failureOf(model.complete(aCall()))).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
})

test('aborting ends the request and rejects with the reason', async () => {
  api.failNext({ kind: 'stall' })
  const controller = new AbortController()
  const reason = new Error('the job was cancelled')
  const work = connect().complete(aCall({ signal: controller.signal, onStart: () => controller.abort(reason) }))
  await expect(work).rejects.toBe(reason)
  expect(api.calls).toHaveLength(1)
})

test('aborting ends a pause between tries', async () => {
  api.failNext({ status: 529, headers: { 'retry-after': '7' } })
  const controller = new AbortController()
  const reason = new Error('stop')
  const expectation = expect(connect().complete(aCall({ signal: controller.signal }))).rejects.toBe(reason)
  while (api.calls.length === 0) await sleep(10)
  await sleep(300)
  const started = Date.now()
  controller.abort(reason)
  await expectation
  expect(Date.now() - started).toBeLessThan(5_000)
  expect(api.calls).toHaveLength(1)
})

test('nothing is sent when the signal is aborted already', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(connect().complete(aCall({ signal }))).rejects.toThrow('too late')
  expect(api.calls).toHaveLength(0)
})
