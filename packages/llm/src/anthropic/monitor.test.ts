import { type Fault, type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createMetrics } from '@subtext/runtime'
import { createAnthropicModel } from '../anthropic.ts'
import type { TextModelCall, TextModelUsage } from '../text-model.ts'
import { createModelMonitor } from './monitor.ts'

const ANSWER_SCHEMA = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }

const SAID = 'Something was said. '
const FAST = { 'retry-after-ms': '1' }
const KEY = 'key-of-ours'

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

const aCall = (overrides: Partial<TextModelCall> = {}): TextModelCall => ({
  ...{ system: 'Rules.', document: `[1] one\n[2] two\n${SAID.repeat(400)}`, instruction: 'Write the summary "tldr".' },
  ...{ schema: ANSWER_SCHEMA, isShared: true, maxOutputTokens: 9_000, signal: new AbortController().signal },
  ...overrides,
})

/** A model whose numbers and log lines can be looked at. */
function open(options: { timeoutMs?: number; silenceMs?: number } = {}) {
  const outcomes: string[] = []
  const usages: TextModelUsage[] = []
  const lines: unknown[][] = []
  let uncached = 0
  const monitor = {
    countCall: ({ outcome }: { outcome: string }) => void outcomes.push(outcome),
    countUsage: (usage: TextModelUsage) => void usages.push(usage),
    countUncachedPrefix: () => void uncached++,
  }
  const log = { warn: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) }
  const model = createAnthropicModel({ apiKey: KEY, baseUrl: api.baseUrl, model: 'm', monitor, log, ...options })
  return { model, outcomes, usages, lines, uncached: () => uncached }
}

test.each<[string, Fault, string[]]>([
  ['an answer', { kind: 'slow', delayMs: 1 }, ['answered']],
  ['a refusal', { kind: 'refusal' }, ['refused']],
  ['a cut answer', { kind: 'cut' }, ['cut']],
  ['a full window', { kind: 'window-exceeded' }, ['too_long']],
  ['a prompt that is too long', { status: 400, message: 'prompt is too long: 3 tokens > 2 maximum' }, ['too_long']],
  ['a limit', { status: 429, headers: FAST }, ['throttled', 'answered']],
  ['overload', { status: 529, headers: FAST }, ['overloaded', 'answered']],
  ['overload within the stream', { kind: 'stream-error' }, ['overloaded', 'answered']],
  ['a fault of the provider', { status: 500, headers: FAST }, ['provider_error', 'answered']],
  ['a connection that breaks', { kind: 'dropped' }, ['network', 'answered']],
  ['silence', { kind: 'stall' }, ['stalled', 'answered']],
  ['no answer', { kind: 'hang' }, ['timeout']],
  ['nothing but pings', { kind: 'pings', forMs: 60_000, everyMs: 50 }, ['timeout']],
  ['a wrong key', { status: 401 }, ['unauthorized']],
  ['an empty purse', { status: 402 }, ['billing']],
  ['an unknown model', { status: 404 }, ['not_found']],
  ['a request that is refused', { status: 400 }, ['rejected']],
])('%s is counted as what it is', async (_, fault, expected) => {
  api.failNext(fault)
  const { model, outcomes } = open({ timeoutMs: 4_000, silenceMs: 1_500 })
  await model.complete(aCall()).catch(() => {})
  expect(outcomes).toEqual(expected)
})

test('a model that thinks for longer than it may be silent gives its answer', async () => {
  api.failNext({ kind: 'pings', forMs: 2_500, everyMs: 100 })
  const { model, outcomes } = open({ silenceMs: 1_500 })
  expect((await model.complete(aCall())).stop).toBe('complete')
  expect(outcomes).toEqual(['answered'])
})

test('a call that was called off is no failure, and no news', async () => {
  api.failNext({ kind: 'stall' })
  const controller = new AbortController()
  const { model, outcomes, lines } = open()
  const onStart = () => controller.abort(new Error('cancelled'))
  await expect(model.complete(aCall({ signal: controller.signal, onStart }))).rejects.toThrow('cancelled')
  expect(outcomes).toEqual(['aborted'])
  expect(lines).toEqual([])
})

test('what was lost is counted like what came of use, and as the caller is told', async () => {
  api.failNext({ kind: 'stream-error' })
  const lost: TextModelUsage[] = []
  const { model, usages } = open()
  const { usage } = await model.complete(aCall({ onLoss: (loss) => lost.push(loss) }))
  expect(usages).toEqual([...lost, usage])
  expect(lost[0]?.cacheWriteTokens).toBeGreaterThan(0)
})

test('a document that should have been kept and was not is counted', async () => {
  const { model, uncached } = open()
  await model.complete(aCall())
  await model.complete(aCall())
  await model.complete(aCall({ document: '[1] short', isShared: false }))
  expect(uncached()).toBe(0)
  await model.complete(aCall({ document: '[1] short' }))
  expect(uncached()).toBe(1)
})

test('neither the log nor the error holds what was asked, what was answered, or the key', async () => {
  const { model, lines } = open()
  api.failNext({ status: 401, message: `wrong: ${KEY} ${SAID}` })
  const wrongKey = await model.complete(aCall()).catch((error) => error)
  api.failNext({ status: 500, message: SAID, headers: { ...FAST, 'request-id': 'req_17' } }, { times: 3 })
  const broken = await model.complete(aCall()).catch((error) => error)
  expect(lines.map(([message]) => message)).toEqual(['model unusable', ...Array(3).fill('model call failed')])
  expect(lines[3]?.[1]).toEqual({
    ...{ outcome: 'provider_error', status: 500, type: 'api_error', provider_request_id: 'req_17' },
  })
  const told = JSON.stringify([
    lines,
    ...[wrongKey, broken].map(({ message, stack, cause }) => [message, stack, cause.stack, cause.cause]),
  ])
  expect(told).toContain('unauthorized')
  expect(told).not.toContain(KEY)
  expect(told).not.toContain('Something was said')
})

test('numbers of Prometheus', async () => {
  const metrics = createMetrics()
  const monitor = createModelMonitor(metrics, ({ outputTokens }) => outputTokens / 4)
  monitor.countCall({ outcome: 'answered' })
  monitor.countUsage({ inputTokens: 1, cacheWriteTokens: 2, cachedInputTokens: 3, outputTokens: 4 })
  monitor.countUsage({ inputTokens: 1, cacheWriteTokens: 0, cachedInputTokens: 0, outputTokens: 1 })
  monitor.countUncachedPrefix()
  const server = await metrics.serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  await server.close()
  expect(text.split('\n').filter((line) => line.startsWith('subtext_model'))).toEqual([
    'subtext_model_tokens_total{kind="input"} 2',
    'subtext_model_tokens_total{kind="cache_write"} 2',
    'subtext_model_tokens_total{kind="cache_read"} 3',
    'subtext_model_tokens_total{kind="output"} 5',
    'subtext_model_cost_usd_total 1.25',
    'subtext_model_uncached_prefixes_total 1',
    'subtext_model_calls_total{outcome="answered"} 1',
  ])
})
