import { setImmediate as nextTurn } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { type Fault, type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createMetrics } from '@subtext/runtime'
import { createAnthropicModel } from './anthropic/anthropic-model.ts'
import { createModelMetrics } from './monitor.ts'
import { newCall } from './testing/new-call.ts'
import { listAnswerEvents, scriptStream, writeEvents } from './testing/script-stream.ts'
import type { TextModelUsage } from './text-model.ts'

const FAST = { 'retry-after-ms': '1' }
const KEY = 'key-of-ours'
const SPOKEN = 'Something was said. '
const USAGE = { input_tokens: 12, output_tokens: 34 }

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

/** A model with everything it counts and logs. */
function openModel(options: Partial<Parameters<typeof createAnthropicModel>[0]> = {}) {
  const outcomes: string[] = []
  const usages: TextModelUsage[] = []
  const lines: unknown[][] = []
  let uncached = 0
  let starts = 0
  const durations: number[] = []
  const monitor = {
    countCall({ outcome }: { outcome: string }, seconds: number) {
      outcomes.push(outcome)
      durations.push(seconds)
    },
    countStart: () => void starts++,
    countUsage: (usage: TextModelUsage) => void usages.push(usage),
    countUncachedPrefix: () => void uncached++,
  }
  const log = { warn: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) }
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: api.baseUrl, model: 'm', monitor, log, ...options })
  return { model, outcomes, usages, lines, durations, starts: () => starts, uncached: () => uncached }
}

test.each<[string, Fault, string[]]>([
  ['an answer', { kind: 'slow', delayMs: 1 }, ['answered']],
  ['a refusal', { kind: 'refusal' }, ['refused']],
  ['a cut answer', { kind: 'cut' }, ['cut']],
  ['a full context window', { kind: 'window-exceeded' }, ['too_long']],
  ['a prompt that is too long', { status: 400, message: 'prompt is too long: 3 tokens > 2 maximum' }, ['too_long']],
  ['a rate limit', { status: 429, headers: FAST }, ['throttled', 'answered']],
  ['overload', { status: 529, headers: FAST }, ['overloaded', 'answered']],
  ['overload within the stream', { kind: 'stream-error' }, ['overloaded', 'answered']],
  ['an error of the provider', { status: 500, headers: FAST }, ['provider_error', 'answered']],
  ['a broken connection', { kind: 'dropped' }, ['network', 'answered']],
  ['a wrong key', { status: 401 }, ['unauthorized']],
  ['an account without credit', { status: 402 }, ['billing']],
  ['an unknown model', { status: 404 }, ['not_found']],
  ['an invalid request', { status: 400 }, ['rejected']],
])('counts %s by its outcome', async (_, fault, expected) => {
  api.failNext(fault)
  const { model, outcomes } = openModel()
  await model.complete(newCall()).catch(() => {})
  expect(outcomes).toEqual(expected)
})

test.each<[string, Fault]>([
  ['a missing answer', { kind: 'hang' }],
  ['an answer of nothing but pings', { kind: 'pings', forMs: 60_000, everyMs: 50 }],
])('counts %s as a timeout', async (_, fault) => {
  api.failNext(fault)
  const { model, outcomes } = openModel({ timeoutMs: 300 })
  await model.complete(newCall()).catch(() => {})
  expect(outcomes).toEqual(['timeout'])
})

describe('a stream that goes silent', () => {
  const IDLE_TIMEOUT_MS = 1_500
  const [messageStart, ping, ...answer] = listAnswerEvents('Words.', USAGE, USAGE)
  const begin = () => {
    const stream = scriptStream()
    stream.send(writeEvents([messageStart, ping].filter((event) => event !== undefined)))
    return stream
  }

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] })
  })
  afterEach(() => jest.useRealTimers())

  test('is counted as stalled, and the call is tried again', async () => {
    const whole = begin()
    whole.send(writeEvents(answer))
    whole.close()
    const responses = [begin().response, whole.response]
    const { model, outcomes } = openModel({
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      fetch: async () => responses.shift() ?? Response.error(),
    })
    const work = model.complete(newCall())
    await jest.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS)
    expect((await work).stop).toBe('complete')
    expect(outcomes).toEqual(['stalled', 'answered'])
  })

  test('is not given up while a thinking model sends pings', async () => {
    const stream = begin()
    const { model, outcomes } = openModel({ idleTimeoutMs: IDLE_TIMEOUT_MS, fetch: async () => stream.response })
    const work = model.complete(newCall())
    for (let count = 0; count < 5; count++) {
      await jest.advanceTimersByTimeAsync(IDLE_TIMEOUT_MS - 1)
      stream.send(writeEvents([{ type: 'ping' }]))
      await nextTurn()
    }
    stream.send(writeEvents(answer))
    stream.close()
    expect((await work).stop).toBe('complete')
    expect(outcomes).toEqual(['answered'])
  })
})

test('counts an aborted call as aborted and logs nothing', async () => {
  api.failNext({ kind: 'stall' })
  const controller = new AbortController()
  const { model, outcomes, lines } = openModel()
  const onStart = () => controller.abort(new Error('cancelled'))
  await expect(model.complete(newCall({ signal: controller.signal, onStart }))).rejects.toThrow('cancelled')
  expect(outcomes).toEqual(['aborted'])
  expect(lines).toEqual([])
})

test('counts the usage of a failed attempt like any other, and reports the same usage to the caller', async () => {
  api.failNext({ kind: 'stream-error' })
  const failed: TextModelUsage[] = []
  const { model, usages } = openModel()
  const { usage } = await model.complete(newCall({ onFailedAttempt: (reported) => failed.push(reported) }))
  expect(usages).toEqual([...failed, usage])
  expect(failed[0]?.cacheWriteTokens).toBeGreaterThan(0)
})

test('counts a document that should have been cached and was not', async () => {
  const { model, uncached } = openModel()
  await model.complete(newCall())
  await model.complete(newCall())
  await model.complete(newCall({ document: '[1] short', cacheDocument: null }))
  expect(uncached()).toBe(0)
  await model.complete(newCall({ document: '[1] short' }))
  expect(uncached()).toBe(1)
})

test('neither logs nor throws any part of a prompt, an answer or the key', async () => {
  const { model, lines } = openModel()
  api.failNext({ status: 401, message: `wrong: ${KEY} ${SPOKEN}` })
  const wrongKey = await model.complete(newCall()).catch((error) => error)
  api.failNext({ status: 500, message: SPOKEN, headers: { ...FAST, 'request-id': 'req_17' } }, { times: 3 })
  const broken = await model.complete(newCall()).catch((error) => error)
  expect(lines.map(([message]) => message)).toEqual(['model unusable', ...Array(3).fill('model call failed')])
  expect(lines[3]?.[1]).toEqual({
    outcome: 'provider_error',
    status: 500,
    type: 'api_error',
    provider_request_id: 'req_17',
  })
  const visible = JSON.stringify([
    lines,
    ...[wrongKey, broken].map(({ message, stack, cause }) => [message, stack, cause.stack, cause.cause]),
  ])
  expect(visible).toContain('unauthorized')
  expect(visible).not.toContain(KEY)
  expect(visible).not.toContain('Something was said')
})

test('measures every attempt, and how long the answers took to begin', async () => {
  api.failNext({ status: 500, headers: FAST })
  const { model, durations, starts } = openModel()
  await model.complete(newCall())
  expect(durations).toHaveLength(2)
  for (const seconds of durations) expect(seconds).toBeGreaterThan(0)
  expect(starts()).toBe(1)
})

test('exports its counts as Prometheus metrics', async () => {
  const metrics = createMetrics()
  const monitor = createModelMetrics(metrics)('m', ({ outputTokens }) => outputTokens / 4)
  const linesOf = async (name: string) =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith(`subtext_model_${name}`))
  const outcomes = await linesOf('calls_total')
  expect(outcomes).toContain('subtext_model_calls_total{model="m",outcome="billing"} 0')
  expect(await linesOf('cost')).toEqual(['subtext_model_cost_usd_total{model="m"} 0'])
  monitor.countCall({ outcome: 'answered' }, 3)
  monitor.countStart(0.7)
  monitor.countUsage({ inputTokens: 1, cacheWriteTokens: 2, cachedInputTokens: 3, outputTokens: 4 })
  monitor.countUsage({ inputTokens: 1, cacheWriteTokens: 0, cachedInputTokens: 0, outputTokens: 1 })
  monitor.countUncachedPrefix()
  expect(await linesOf('tokens')).toEqual([
    'subtext_model_tokens_total{model="m",kind="input"} 2',
    'subtext_model_tokens_total{model="m",kind="cache_write"} 2',
    'subtext_model_tokens_total{model="m",kind="cache_read"} 3',
    'subtext_model_tokens_total{model="m",kind="output"} 5',
  ])
  expect(await linesOf('cost')).toEqual(['subtext_model_cost_usd_total{model="m"} 1.25'])
  expect(await linesOf('uncached')).toEqual(['subtext_model_uncached_prefixes_total{model="m"} 1'])
  expect(await linesOf('calls_total')).toEqual(outcomes.map((line) => line.replace(/("answered"}) 0$/, '$1 1')))
  expect(await linesOf('call_seconds_sum')).toEqual(['subtext_model_call_seconds_sum{model="m"} 3'])
  expect(await linesOf('first_token_seconds_bucket{le="0.5"')).toEqual([
    'subtext_model_first_token_seconds_bucket{le="0.5",model="m"} 0',
  ])
  expect(await linesOf('first_token_seconds_bucket{le="1"')).toEqual([
    'subtext_model_first_token_seconds_bucket{le="1",model="m"} 1',
  ])
})
