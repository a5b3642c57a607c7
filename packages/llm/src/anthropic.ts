import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { ServiceError } from '@subtext/contracts'
import { classifyFailure } from './anthropic/classify-failure.ts'
import { type ModelMonitor, outcomeOf, SILENT_MONITOR } from './anthropic/monitor.ts'
import { createFailureReporter, describeFailure, type FailureLog, ModelCallError } from './anthropic/report-failures.ts'
import { buildRequest, sendCall } from './anthropic/send-call.ts'
import { acceptUnstreamed } from './anthropic/unstreamed-answer.ts'
import { watchStreams } from './anthropic/watch-stream.ts'
import type { TextModel, TextModelAnswer, TextModelCall } from './text-model.ts'

interface AnthropicModelOptions {
  apiKey: string
  /** The provider's own API unless told. */
  baseUrl?: string
  model: string
  fetch?: typeof fetch
  /** Longest time for one try, from sending to the last event. Milliseconds. */
  timeoutMs?: number
  /** Longest time without a sign of life within an answer that has begun. Milliseconds. */
  silenceMs?: number
  /** Waited for before each try; told of what became of it. */
  gate?: CallGate
  monitor?: ModelMonitor
  /** Is told of every failed try. */
  log?: FailureLog
}

/** Bounds the calls that are under way. A call that was let in gives back its place, saying whether the provider complained. */
export interface CallGate {
  acquire(
    signal: AbortSignal,
  ): Promise<(outcome: { kind: 'done' } | { kind: 'throttled'; retryAfterMs: number | null }) => void>
}

const OPEN_GATE: CallGate = { acquire: async () => () => {} }
const NO_LOG: FailureLog = { warn: () => {}, error: () => {} }

const DEFAULT_TIMEOUT_MS = 5 * 60_000
/** Three pings of the provider that did not come. */
const DEFAULT_SILENCE_MS = 90_000
const MAX_TRIES = 3
const FIRST_BACKOFF_MS = 500
/** Whoever is told to wait longer gives the place free; the queue tries again. */
const LONGEST_WAIT_MS = 8_000

const computeBackoffMs = (tries: number): number => FIRST_BACKOFF_MS * 2 ** (tries - 1) * (1 - Math.random() / 4)

/** What became of one try: an answer, a pause before the next one, or an error that ends the call. */
type Tried = { answer: TextModelAnswer } | { waitMs: number }

/**
 * Models behind Anthropic's Messages API. Rejects with the signal's reason when that is aborted. Errors before and
 * within a stream are tried again a few times; the SDK itself does so only for those before it, and without a bound
 * on the wait the provider may ask for.
 */
export function createAnthropicModel(options: AnthropicModelOptions): TextModel {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, gate = OPEN_GATE, monitor = SILENT_MONITOR } = options
  const client = createClient(options, timeoutMs)
  const report = createFailureReporter(options.log ?? NO_LOG)

  const tryOnce = async (call: TextModelCall, tries: number): Promise<Tried> => {
    const onLoss: TextModelCall['onLoss'] = (usage) => {
      monitor.countUsage(usage)
      call.onLoss?.(usage)
    }
    const release = await gate.acquire(call.signal)
    call.onSend?.()
    try {
      const answer = await sendCall(client, buildRequest(model, call), { ...call, onLoss }, timeoutMs)
      release({ kind: 'done' })
      countAnswer(monitor, call, answer)
      return { answer }
    } catch (error) {
      const failure = classifyFailure(error, Date.now())
      release(failure?.isThrottled ? { kind: 'throttled', retryAfterMs: failure.retryAfterMs } : { kind: 'done' })
      monitor.countCall({ outcome: call.signal.aborted ? 'aborted' : (failure?.kind ?? 'unexpected') })
      call.signal.throwIfAborted()
      if (!failure) throw error
      const facts = describeFailure(failure.kind, error)
      report(failure, facts)
      const waitMs = failure.retryAfterMs ?? computeBackoffMs(tries)
      if (failure.soon && tries < MAX_TRIES && waitMs <= LONGEST_WAIT_MS) return { waitMs }
      throw new ServiceError('SUMMARY_UNAVAILABLE', {
        retryable: failure.retryable,
        retryAfterSeconds: failure.retryAfterMs === null ? undefined : Math.ceil(failure.retryAfterMs / 1_000),
        cause: new ModelCallError(facts),
      })
    }
  }

  return {
    model,
    async complete(call) {
      for (let tries = 1; ; tries++) {
        call.signal.throwIfAborted()
        const tried = await tryOnce(call, tries)
        if ('answer' in tried) return tried.answer
        await sleep(tried.waitMs, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted())
      }
    },
  }
}

function createClient(options: AnthropicModelOptions, timeoutMs: number): Anthropic {
  const { apiKey, baseUrl = null, fetch: send = fetch, silenceMs = DEFAULT_SILENCE_MS } = options
  return new Anthropic({
    apiKey,
    baseURL: baseUrl,
    fetch: acceptUnstreamed(watchStreams(send, silenceMs)),
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  })
}

function countAnswer(monitor: ModelMonitor, { isShared }: TextModelCall, answer: TextModelAnswer): void {
  const { inputTokens, cacheWriteTokens, cachedInputTokens } = answer.usage
  monitor.countCall({ outcome: outcomeOf(answer) })
  monitor.countUsage(answer.usage)
  if (isShared && inputTokens > 0 && cacheWriteTokens + cachedInputTokens === 0) monitor.countUncachedPrefix()
}
