import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { ServiceError } from '@subtext/contracts'
import { type CallGate, OPEN_GATE } from '../call-gate.ts'
import { createFailureReporter, type FailureLog, NO_LOG } from '../failure-reporter.ts'
import { type Failure, type FailureDetails, ModelCallError } from '../failures.ts'
import { countAnswer, type ModelMonitor, NO_MONITOR } from '../monitor.ts'
import type { TextModel, TextModelAnswer, TextModelCall } from '../text-model.ts'
import { acceptUnstreamedAnswers } from './accept-unstreamed-answers.ts'
import { classifyFailure } from './classify-failure.ts'
import { describeFailure } from './describe-failure.ts'
import { buildRequest, sendCall } from './send-call.ts'
import { traceCall } from './trace-call.ts'
import { watchStreams } from './watch-streams.ts'

interface AnthropicModelOptions {
  apiKey: string
  /** Defaults to the provider's own API. */
  baseUrl?: string
  model: string
  fetch?: typeof fetch
  /** Timeout of one attempt, from sending it to the last event. Milliseconds. */
  timeoutMs?: number
  /** Longest time without data within an answer that has begun. Milliseconds. */
  idleTimeoutMs?: number
  /** Limits concurrent attempts and learns how each of them ended. */
  gate?: CallGate
  monitor?: ModelMonitor
  /** Receives every failed attempt. */
  log?: FailureLog
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000
/** Three missed pings of the provider. */
const DEFAULT_IDLE_TIMEOUT_MS = 90_000
const MAX_ATTEMPTS = 3
const FIRST_BACKOFF_MS = 500
/** A call that has to wait longer fails instead of keeping its place; the queue tries again later. */
const MAX_WAIT_MS = 8_000

const computeBackoffMs = (attempts: number): number => FIRST_BACKOFF_MS * 2 ** (attempts - 1) * (1 - Math.random() / 4)

/** An answer, or the pause before the next attempt. */
type AttemptResult = { answer: TextModelAnswer } | { waitMs: number }

/**
 * Creates a model behind Anthropic's Messages API. Errors before and within a stream are retried a few times; the SDK
 * retries only those before it, and waits as long as the provider asks.
 */
export function createAnthropicModel(options: AnthropicModelOptions): TextModel {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, gate = OPEN_GATE, monitor = NO_MONITOR } = options
  const client = createClient(options, timeoutMs)
  const report = createFailureReporter(options.log ?? NO_LOG)

  const attempt = async (call: TextModelCall, attempts: number): Promise<AttemptResult> => {
    const onFailedAttempt: TextModelCall['onFailedAttempt'] = (usage) => {
      monitor.countUsage(usage)
      call.onFailedAttempt?.(usage)
    }
    const release = await gate.acquire(call.signal)
    const sentAt = performance.now()
    const secondsSince = (): number => (performance.now() - sentAt) / 1_000
    const onStart = (): void => {
      monitor.countStart(secondsSince())
      call.onStart?.()
    }
    call.onSend?.()
    try {
      const answer = await traceCall(model, call.maxOutputTokens, () =>
        sendCall(client, buildRequest(model, call), { ...call, onStart, onFailedAttempt }, timeoutMs),
      )
      release({ kind: 'done' })
      countAnswer(monitor, { answer, isCached: call.cacheDocument !== null, seconds: secondsSince() })
      return { answer }
    } catch (error) {
      const failure = classifyFailure(error, Date.now())
      release(failure?.isThrottled ? { kind: 'throttled', retryAfterMs: failure.retryAfterMs } : { kind: 'done' })
      const outcome = call.signal.aborted ? 'aborted' : (failure?.kind ?? 'unexpected')
      monitor.countCall({ outcome }, secondsSince())
      call.signal.throwIfAborted()
      if (!failure) throw error
      const details = describeFailure(failure.kind, error)
      report(failure, details)
      const waitMs = failure.retryAfterMs ?? computeBackoffMs(attempts)
      const mayRetry = call.mayRetry?.() ?? true
      if (failure.retryNow && mayRetry && attempts < MAX_ATTEMPTS && waitMs <= MAX_WAIT_MS) return { waitMs }
      throw toServiceError(failure, details)
    }
  }

  return {
    model,
    async complete(call) {
      for (let attempts = 1; ; attempts++) {
        call.signal.throwIfAborted()
        const result = await attempt(call, attempts)
        if ('answer' in result) return result.answer
        await sleep(result.waitMs, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted())
      }
    },
  }
}

function createClient(options: AnthropicModelOptions, timeoutMs: number): Anthropic {
  const { apiKey, baseUrl = null, fetch: send = fetch, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = options
  return new Anthropic({
    apiKey,
    baseURL: baseUrl,
    fetch: acceptUnstreamedAnswers(watchStreams(send, idleTimeoutMs)),
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  })
}

const toServiceError = ({ retryable, retryAfterMs }: Failure, details: FailureDetails): ServiceError =>
  new ServiceError('SUMMARY_UNAVAILABLE', {
    retryable,
    retryAfterSeconds: retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1_000),
    cause: new ModelCallError(details),
  })
