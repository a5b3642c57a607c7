import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { newCall } from '../testing/new-call.ts'
import { createAnthropicModel } from './anthropic-model.ts'

const FAST = { 'retry-after-ms': '1' }

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

const connect = (options: Partial<Parameters<typeof createAnthropicModel>[0]> = {}) =>
  createAnthropicModel({ apiKey: 'test-key', baseUrl: api.baseUrl, model: 'claude-haiku-5-5', ...options })

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
  const answer = await connect().complete(newCall({ onStart: () => starts++ }))

  expect(answer.stop).toBe('complete')
  // The thinking block before it is not part of the text.
  expect(JSON.parse(answer.text).tldr[0].sentences[0]).toEqual({ text: 'one two three', segment_ids: [1, 2, 3] })
  expect(starts).toBe(1)
  const { usage } = answer
  expect(usage.cacheWriteTokens).toBeGreaterThan(0)
  // The cached parts do not count: these are the tokens of the instruction alone.
  expect(usage.inputTokens).toBeGreaterThan(0)
  expect(usage.inputTokens).toBeLessThan(usage.cacheWriteTokens)
  expect(usage.cachedInputTokens).toBe(0)
  expect(usage.outputTokens).toBeGreaterThan(0)

  const call = newCall()
  const body = api.calls[0]?.body
  expect(body).toMatchObject({
    model: 'claude-haiku-5-5',
    stream: true,
    max_tokens: 16_000,
    system: 'Rules.',
    output_config: { effort: 'medium', format: { type: 'json_schema', schema: call.schema } },
  })
  expect(body?.messages).toEqual([
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: call.document },
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: call.instruction },
      ],
    },
  ])
})

test('reads the document from the cache for another instruction', async () => {
  const model = connect()
  const first = await model.complete(newCall())
  const second = await model.complete(newCall({ instruction: 'Write the summary "detailed".' }))
  expect(second.usage.cachedInputTokens).toBe(first.usage.cacheWriteTokens)
  expect(second.usage.cacheWriteTokens).toBe(0)
})

test.each([
  ['refusal', 'refused'],
  ['cut', 'cut'],
  ['window-exceeded', 'too-long'],
] as const)('returns a stop reason of %s as an answer, not as an error', async (kind, stop) => {
  api.failNext({ kind })
  expect((await connect().complete(newCall())).stop).toBe(stop)
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['a 429', { status: 429, headers: FAST }],
  ['a 529', { status: 529, headers: FAST }],
  ['a 500', { status: 500, headers: FAST }],
  ['an error within the stream', { kind: 'stream-error' }],
  ['a broken connection', { kind: 'dropped' }],
] as const)('tries again after %s', async (_, fault) => {
  api.failNext(fault)
  expect((await connect().complete(newCall())).stop).toBe('complete')
  expect(api.calls).toHaveLength(2)
})

test.each([
  ['529s', { status: 529, headers: FAST }],
  ['errors within the stream', { kind: 'stream-error' }],
] as const)('fails with a retryable error after three attempts end in %s', async (_, fault) => {
  api.failNext(fault, { times: 9 })
  const error = await failureOf(connect().complete(newCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
  expect(error.message).not.toContain('Scripted')
  expect(api.calls).toHaveLength(3)
})

test('passes a long wait that the provider asks for on to the caller instead of waiting', async () => {
  api.failNext({ status: 429, headers: { 'retry-after': '120' } })
  const error = await failureOf(connect().complete(newCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true, retryAfterSeconds: 120 })
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['an invalid request', { status: 400 }, 'Trying again does not help.'],
  ['a wrong key', { status: 401 }, 'Its operator has to correct that.'],
  ['a spend limit', { status: 429, errorCode: 'enforced_spend_limit_reached' }, 'Its operator'],
  ['an account without credit', { status: 402 }, 'Its operator'],
  [
    'an account without credit, reported within the stream',
    { kind: 'stream-error', errorType: 'billing_error' },
    'Its operator',
  ],
  [
    'an invalid request, reported within the stream',
    { kind: 'stream-error', errorType: 'invalid_request_error' },
    'Trying again',
  ],
] as const)('does not try again after %s', async (_, fault, advice) => {
  api.failNext(fault, { times: 9 })
  const error = await failureOf(connect().complete(newCall()))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
  expect(error).toHaveProperty('message', expect.stringContaining(advice))
  expect(api.calls).toHaveLength(1)
})

test.each([
  ['never begins', 'hang'],
  ['never ends', 'stall'],
] as const)('makes one attempt when an answer %s within the timeout', async (_, kind) => {
  api.failNext({ kind }, { times: 9 })
  let attempts = 0
  const error = await failureOf(connect({ timeoutMs: 300 }).complete(newCall({ onSend: () => attempts++ })))
  expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
  expect(attempts).toBe(1)
})

test('fails with a retryable error when the provider is unreachable', async () => {
  const closed = await startMessagesApi()
  await closed.close()
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: closed.baseUrl, model: 'm' })
  expect(await failureOf(model.complete(newCall()))).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: true })
})

test('ends the request and rejects with the reason when it is aborted', async () => {
  api.failNext({ kind: 'stall' })
  const controller = new AbortController()
  const reason = new Error('the job was cancelled')
  const work = connect().complete(newCall({ signal: controller.signal, onStart: () => controller.abort(reason) }))
  await expect(work).rejects.toBe(reason)
  expect(api.calls).toHaveLength(1)
})

test('ends the pause between two attempts when it is aborted', async () => {
  api.failNext({ status: 529, headers: { 'retry-after': '7' } })
  const controller = new AbortController()
  const reason = new Error('stop')
  let failures = 0
  const log = { warn: () => void failures++, error: () => {} }
  let ending: unknown
  const work = connect({ log }).complete(newCall({ signal: controller.signal }))
  void work.catch((error) => {
    ending = error
  })
  await waitUntil('the first attempt fails', () => failures > 0)
  await sleep(50)
  expect(ending).toBeUndefined()
  controller.abort(reason)
  // A pause that went on would last far longer than a few turns of the event loop.
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(ending).toBe(reason)
  expect(api.calls).toHaveLength(1)
})

test('sends nothing when the signal is already aborted', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(connect().complete(newCall({ signal }))).rejects.toThrow('too late')
  expect(api.calls).toHaveLength(0)
})

test.each(['text', 'thoughts'])('cuts %s of a server that does not know max_tokens', async (kind) => {
  const endless = `${kind === 'thoughts' ? '<think>' : ''}${'and so on '.repeat(300)}`
  api.failNext({ kind: 'pieces', pieces: [endless], end: 'stall' })
  let retries = -1
  const answer = await connect({ idleTimeoutMs: 600_000 }).complete(
    newCall({ maxOutputTokens: 100, onSend: () => retries++ }),
  )
  expect(answer.stop).toBe('cut')
  expect(answer.usage.outputTokens).toBeGreaterThanOrEqual(100)
  await waitUntil('the server notices', () => api.calls[0]?.aborted === true)
  expect(retries).toBe(0)
})

test('follows no redirect to another server, which would receive the key and the transcript', async () => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(307, { location: `http://localhost:${port}/elsewhere` }).end()
  })
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo
  await failureOf(connect({ baseUrl: `http://127.0.0.1:${port}` }).complete(newCall({ mayRetry: () => false })))
  server.close()
  expect(paths).toEqual(['/v1/messages'])
})
