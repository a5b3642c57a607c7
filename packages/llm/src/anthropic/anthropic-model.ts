import { setTimeout as sleep } from 'node:timers/promises'
import { type CostReservation, ServiceError } from '@subtext/contracts'
import { type CallGate, OPEN_GATE } from '../call-gate.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { createFailureReporter, type FailureLog, NO_LOG } from '../failure-reporter.ts'
import { type CallFailure, type FailureDetails, ModelCallError } from '../failures.ts'
import { type ComputeMaxCostUsd, createMaxCostComputer } from '../model-prices.ts'
import { countAnswer, type ModelMonitor, NO_MONITOR } from '../monitor.ts'
import { extractJson, fitToSchema } from '../plain-json.ts'
import type { TextModel, TextModelAnswer, TextModelCall, TextModelUsage } from '../text-model.ts'
import { classifyFailure } from './classify-failure.ts'
import { type ClientOptions, createClient } from './create-client.ts'
import { describeFailure } from './describe-failure.ts'
import { createDialectLearner, type Dialect, type DialectLearner, FIXED_DIALECT } from './dialect.ts'
import { isCounted, isUnbilled, reserveAttempt } from './reserve-attempt.ts'
import { buildRequest, sendCall, writeInstruction } from './send-call.ts'
import { traceCall } from './trace-call.ts'

interface AnthropicModelOptions extends ClientOptions {
  model: string
  /** Whether the server is another one than the provider's own, and may lack parts of its API. Default: false. */
  isCompatible?: boolean
  /** Context window of the model: prompt and answer together. Default: larger than any prompt. Tokens. */
  contextTokens?: number
  /** Timeout of one attempt, from sending it to the last event. Milliseconds. */
  timeoutMs?: number
  /** Default: with the built-in prices. */
  computeMaxCostUsd?: ComputeMaxCostUsd
  /** Limits concurrent attempts and learns how each of them ended. */
  gate?: CallGate
  monitor?: ModelMonitor
  /** Receives every failed attempt. */
  log?: FailureLog
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000
const MAX_ATTEMPTS = 3
const FIRST_BACKOFF_MS = 500
/** A call that would have to wait longer fails instead of occupying its slot; the job is tried again later. */
const MAX_WAIT_MS = 8_000

const computeBackoffMs = (attempts: number): number => FIRST_BACKOFF_MS * 2 ** (attempts - 1) * (1 - Math.random() / 4)

/**
 * The outcome of an attempt: an answer, a pause before the next attempt, or another attempt at once because the server turned
 * out to lack a feature.
 */
type AttemptResult = { answer: TextModelAnswer } | { waitMs: number } | 'again'

/**
 * Creates a model behind Anthropic's Messages API. Errors before and within a stream are retried a few times; the SDK retries
 * only those before it, and waits as long as the provider asks. A feature that a compatible server refuses or ignores is
 * noticed once, and not used from then on.
 */
export function createAnthropicModel(options: AnthropicModelOptions): TextModel {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, gate = OPEN_GATE, monitor = NO_MONITOR, log = NO_LOG } = options
  const { computeMaxCostUsd = createMaxCostComputer() } = options
  const client = createClient(options, timeoutMs)
  const report = createFailureReporter(log)
  const dialects = options.isCompatible
    ? createDialectLearner((missing) =>
        log.warn('model server lacks features', { model, features: missing.join(', ') }),
      )
    : FIXED_DIALECT

  const attempt = async (call: TextModelCall, attempts: number): Promise<AttemptResult> => {
    const dialect = dialects.current
    const maxOutputTokens = fitOutput(call, dialect, options.contextTokens)
    if (maxOutputTokens === null) return { answer: TOO_LONG }
    const reservation = await reserveAttempt({ ...call, maxOutputTokens }, dialect, { model, computeMaxCostUsd })
    const onFailedAttempt = (usage: TextModelUsage): void => {
      monitor.countUsage(usage)
      reportBroken(call, usage, reservation)
    }
    const release = await acquireSlot(gate, call.signal, reservation)
    const sentAt = performance.now()
    const secondsSince = (): number => (performance.now() - sentAt) / 1_000
    const onStart = (): void => {
      monitor.countStart(secondsSince())
      call.onStart?.()
    }
    call.onSend?.()
    try {
      const request = buildRequest(model, { ...call, maxOutputTokens }, dialect)
      const answer = await traceCall(model, maxOutputTokens, () =>
        sendCall(client, request, { ...call, onStart, onFailedAttempt }, timeoutMs),
      )
      release({ kind: 'done' })
      const isCached = call.cacheDocument !== null && dialect.cache
      countAnswer(monitor, { answer, isCached, seconds: secondsSince() })
      if (!isCounted(answer)) reservation?.keep()
      return judgeAnswer(dialects, call, { dialect, answer: reservation ? { ...answer, reservation } : answer })
    } catch (error) {
      if (isUnbilled(error)) await reservation?.release()
      const failure = classifyFailure(error, Date.now())
      release(failure?.isThrottled ? { kind: 'throttled', retryAfterMs: failure.retryAfterMs } : { kind: 'done' })
      const outcome = call.signal.aborted ? 'aborted' : (failure?.kind ?? 'unexpected')
      monitor.countCall({ outcome }, secondsSince())
      call.signal.throwIfAborted()
      if (!failure) throw error
      if (dialects.learnFromError(error, dialect)) return 'again'
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
      for (let attempts = 1; ; ) {
        call.signal.throwIfAborted()
        const result = await attempt(call, attempts)
        if (result === 'again') continue
        if ('answer' in result) return result.answer
        attempts++
        await sleep(result.waitMs, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted())
      }
    },
  }
}

/** Reports the usage of an answer that broke off. Its cost is not known in full. */
function reportBroken(call: TextModelCall, usage: TextModelUsage, reservation: CostReservation | undefined): void {
  reservation?.keep()
  call.onFailedAttempt?.(usage, reservation)
}

/** Waits for a slot. An attempt that is not made needs no reservation. */
async function acquireSlot(gate: CallGate, signal: AbortSignal, reservation: CostReservation | undefined) {
  try {
    const release = await gate.acquire(signal)
    if (signal.aborted) release({ kind: 'done' })
    signal.throwIfAborted()
    return release
  } catch (error) {
    await reservation?.release()
    throw error
  }
}

/** Decides whether an answer can be used, given what the server may have ignored in the prompt. */
function judgeAnswer(
  dialects: DialectLearner,
  call: TextModelCall,
  { dialect, answer }: { dialect: Dialect; answer: TextModelAnswer },
): AttemptResult {
  const verdict = dialects.learnFromAnswer(call, dialect, answer)
  if (verdict === 'again' && (call.mayRetry?.() ?? true)) {
    call.onFailedAttempt?.(answer.usage, answer.reservation)
    return 'again'
  }
  if (verdict === 'cut') return { answer: { ...answer, text: '', stop: 'too-long' } }
  return { answer: dialect.schema ? answer : readPlainAnswer(answer, call) }
}

const TOO_LONG: TextModelAnswer = {
  text: '',
  stop: 'too-long',
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 },
}
/** Minimum length of an answer, in tokens. */
const MIN_OUTPUT_TOKENS = 256
/** Tokens that servers add, such as role markers. */
const MARGIN_TOKENS = 64

/**
 * Returns the maximum length of an answer in tokens, or null if the prompt leaves no space for one: a server might cut such a
 * prompt silently.
 */
function fitOutput(call: TextModelCall, dialect: Dialect, contextTokens?: number): number | null {
  if (contextTokens === undefined) return call.maxOutputTokens
  const { system, document, turns = [] } = call
  const texts = [system, document, writeInstruction(call, dialect), ...turns.map(({ text }) => text)]
  const promptTokens = texts.reduce((sum, text) => sum + estimateTokens(text), MARGIN_TOKENS)
  const left = contextTokens - promptTokens
  return left < MIN_OUTPUT_TOKENS ? null : Math.min(call.maxOutputTokens, left)
}

/** Extracts the JSON from the answer of a server that was asked for it in the prompt. */
function readPlainAnswer(answer: TextModelAnswer, { schema, plainSchema }: TextModelCall): TextModelAnswer {
  if (!schema || answer.stop !== 'complete') return answer
  const found = extractJson(answer.text)
  return found ? { ...answer, text: JSON.stringify(fitToSchema(found, plainSchema ?? schema)) } : answer
}

const REFUSED = 'The language model refused the request, so no summary can be written. Trying again does not help.'
const MISCONFIGURED =
  "The language model does not accept this installation's key, model or credit. Its operator has to correct that."

const toServiceError = (
  { retryable, retryAfterMs, needsOperator }: CallFailure,
  details: FailureDetails,
): ServiceError =>
  new ServiceError('SUMMARY_UNAVAILABLE', {
    ...(!retryable && { message: needsOperator ? MISCONFIGURED : REFUSED }),
    retryable,
    retryAfterSeconds: retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1_000),
    cause: new ModelCallError(details),
  })
