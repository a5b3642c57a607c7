import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { ServiceError } from '@subtext/contracts'
import type { TextModel, TextModelAnswer, TextModelCall, TextModelUsage } from '../pipeline/ports.ts'
import { classifyFailure, isPromptTooLong } from './anthropic/classify-failure.ts'
import { acceptUnstreamed } from './anthropic/unstreamed-answer.ts'

interface AnthropicModelOptions {
  apiKey: string
  /** The provider's own API unless told. */
  baseUrl?: string
  model: string
  fetch?: typeof fetch
  /** Longest time for one try, from sending to the last event. Milliseconds. */
  timeoutMs?: number
  /** Waited for before each try; told of what became of it. */
  gate?: CallGate
}

/** Bounds the calls that are under way. A call that was let in gives back its place, saying whether the provider complained. */
export interface CallGate {
  enter(
    signal: AbortSignal,
  ): Promise<(outcome: { kind: 'done' } | { kind: 'throttled'; retryAfterMs: number | null }) => void>
}

const OPEN_GATE: CallGate = { enter: async () => () => {} }

const DEFAULT_TIMEOUT_MS = 5 * 60_000
const MAX_TRIES = 3
const EFFORT = 'medium'
const FIRST_BACKOFF_MS = 500
/** Whoever is told to wait longer gives the place free; the queue tries again. */
const LONGEST_WAIT_MS = 8_000

/** Only the last block and the format differ between the calls about a transcript: the rest is read from the cache. */
const buildRequest = (model: string, call: TextModelCall): Anthropic.MessageStreamParams => ({
  model,
  max_tokens: call.maxOutputTokens,
  system: call.system,
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: call.document },
          ...(call.isShared && { cache_control: { type: 'ephemeral' } }),
        },
        { type: 'text', text: call.instruction },
      ],
    },
  ],
  // Whether the provider's cache tells efforts apart is documented both ways: one for all calls.
  output_config: { effort: EFFORT, format: { type: 'json_schema', schema: call.schema } },
})

function selectStop(reason: Anthropic.StopReason | null): TextModelAnswer['stop'] {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'complete'
    case 'refusal':
      return 'refused'
    case 'model_context_window_exceeded':
      return 'too-long'
    default:
      return 'cut'
  }
}

function readAnswer({ content, stop_reason, usage }: Anthropic.Message): TextModelAnswer {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    stop: selectStop(stop_reason),
    usage: readUsage(usage),
  }
}

const readUsage = (usage: Anthropic.Usage): TextModelUsage => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cachedInputTokens: usage.cache_read_input_tokens ?? 0,
  cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
})

const NOTHING: TextModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 }

async function sendOnce(
  client: Anthropic,
  body: Anthropic.MessageStreamParams,
  { signal, onStart, onLoss }: TextModelCall,
  timeoutMs: number,
): Promise<TextModelAnswer> {
  const stream = client.messages.stream(body, { signal })
  let isLate = false
  // The SDK's own timeout ends with the response's headers.
  const timer = setTimeout(() => {
    isLate = true
    stream.abort()
  }, timeoutMs)
  if (onStart) stream.once('streamEvent', onStart)
  try {
    return readAnswer(await stream.finalMessage())
  } catch (error) {
    // What was begun is paid for, as far as is known.
    if (stream.currentMessage) onLoss?.(readUsage(stream.currentMessage.usage))
    if (isPromptTooLong(error)) return { text: '', stop: 'too-long', usage: NOTHING }
    if (isLate && !signal.aborted) throw new ServiceError('SUMMARY_UNAVAILABLE', { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const computeBackoffMs = (tries: number): number => FIRST_BACKOFF_MS * 2 ** (tries - 1) * (1 - Math.random() / 4)

/**
 * Models behind Anthropic's Messages API. Rejects with the signal's reason when that is aborted. Errors before and
 * within a stream are tried again a few times; the SDK itself does so only for those before it, and without a bound
 * on the wait the provider may ask for.
 */
export function createAnthropicModel(options: AnthropicModelOptions): TextModel {
  const {
    apiKey,
    baseUrl = null,
    model,
    fetch: send = fetch,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    gate = OPEN_GATE,
  } = options
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    fetch: acceptUnstreamed(send),
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  })

  return {
    model,
    async complete(call) {
      const body = buildRequest(model, call)
      for (let tries = 1; ; tries++) {
        call.signal.throwIfAborted()
        const leave = await gate.enter(call.signal)
        try {
          const answer = await sendOnce(client, body, call, timeoutMs)
          leave({ kind: 'done' })
          return answer
        } catch (error) {
          const failure = error instanceof ServiceError ? null : classifyFailure(error, Date.now())
          leave(failure?.isThrottled ? { kind: 'throttled', retryAfterMs: failure.retryAfterMs } : { kind: 'done' })
          call.signal.throwIfAborted()
          if (!failure) throw error
          const waitMs = failure.retryAfterMs ?? computeBackoffMs(tries)
          if (!failure.soon || tries === MAX_TRIES || waitMs > LONGEST_WAIT_MS) {
            throw new ServiceError('SUMMARY_UNAVAILABLE', {
              retryable: failure.retryable,
              retryAfterSeconds: failure.retryAfterMs === null ? undefined : Math.ceil(failure.retryAfterMs / 1_000),
              cause: error,
            })
          }
          await sleep(waitMs, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted())
        }
      }
    },
  }
}
