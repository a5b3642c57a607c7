import type Anthropic from '@anthropic-ai/sdk'
import { APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import { createThoughtFilter, skipThoughts } from '../skip-thoughts.ts'
import type { CacheDuration, TextModelAnswer, TextModelCall, TextModelPrompt, TextModelUsage } from '../text-model.ts'
import { isPromptTooLong } from './classify-failure.ts'
import { type Dialect, FULL_DIALECT } from './dialect.ts'

const EFFORT = 'medium'

/**
 * Builds a request in the dialect of the server. Only what follows the document, and the format, differ between the calls about
 * a transcript; the cache covers the rest.
 */
export function buildRequest(
  model: string,
  prompt: TextModelPrompt,
  dialect: Dialect = FULL_DIALECT,
): Anthropic.MessageStreamParams {
  const schema = dialect.schema ? prompt.schema : undefined
  const output: Anthropic.OutputConfig = {
    // The documentation disagrees on whether the effort is part of the cache key, so all calls use the same one.
    ...(dialect.effort && { effort: EFFORT }),
    ...(schema && { format: { type: 'json_schema', schema } }),
  }
  return {
    model,
    max_tokens: prompt.maxOutputTokens,
    system: prompt.system,
    messages: buildMessages(prompt, dialect),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  }
}

/** Returns the instruction, including the schema if the server does not accept one. */
export const writeInstruction = ({ instruction, schema, plainSchema }: TextModelPrompt, dialect: Dialect): string =>
  schema && !dialect.schema
    ? `${instruction}\n\nAnswer with one JSON object that matches this JSON Schema, and with nothing else: no introduction, no code fence, no remarks.\n${JSON.stringify(plainSchema ?? schema)}`
    : instruction

/** The first turn follows the instruction in the same message: two messages of one role in a row would be merged. */
function buildMessages(prompt: TextModelPrompt, dialect: Dialect): Anthropic.MessageParam[] {
  const { document, cacheDocument, turns = [] } = prompt
  const [first, ...others] = turns
  const cacheControl = cacheDocument && dialect.cache ? { cache_control: CACHE_CONTROLS[cacheDocument] } : {}
  return [
    {
      role: 'user',
      content: [
        dialect.documents
          ? {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: document },
              ...cacheControl,
            }
          : { type: 'text', text: document, ...cacheControl },
        { type: 'text', text: writeInstruction(prompt, dialect) },
        ...(first ? [{ type: 'text', text: first.text } as const] : []),
      ],
    },
    ...others.map(({ role, text }) => ({ role, content: text })),
  ]
}

/** The default is five minutes. */
const CACHE_CONTROLS: Record<CacheDuration, Anthropic.CacheControlEphemeral> = {
  '5m': { type: 'ephemeral' },
  '1h': { type: 'ephemeral', ttl: '1h' },
}

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

function readAnswer({ content, stop_reason, usage }: Anthropic.Message, cached: CacheDuration | null): TextModelAnswer {
  return {
    text: skipThoughts(content.map((block) => (block.type === 'text' ? block.text : '')).join('')),
    stop: selectStop(stop_reason),
    usage: readUsage(usage, cached),
  }
}

/**
 * The counts are valid whatever the provider sent: see `normalizeCounts`. A gateway that does not say how long it keeps an
 * entry is assumed to keep it as long as requested.
 */
function readUsage(usage: Anthropic.Usage, cached: CacheDuration | null): TextModelUsage {
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
  const requested = cached === '1h' ? cacheWriteTokens : 0
  const hourTokens = Math.min(cacheWriteTokens, usage.cache_creation?.ephemeral_1h_input_tokens ?? requested)
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedInputTokens: usage.cache_read_input_tokens ?? 0,
    cacheWriteTokens,
    ...(hourTokens > 0 && { hourCacheWriteTokens: hourTokens }),
  }
}

const NO_USAGE: TextModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 }

/** Far more characters than a token has on average: only a server that ignores `max_tokens` writes that much. */
const MAX_CHARACTERS_PER_TOKEN = 16

function countWritten(event: Anthropic.MessageStreamEvent): number {
  if (event.type !== 'content_block_delta') return 0
  if (event.delta.type === 'text_delta') return event.delta.text.length
  return event.delta.type === 'thinking_delta' ? event.delta.thinking.length : 0
}

/**
 * Returns the part of a cut answer that arrived. The server counts tokens at the end of an answer, which this one did not
 * reach.
 */
function readEndless(begun: Anthropic.Message, cached: CacheDuration | null, maxTokens: number): TextModelAnswer {
  const { text, usage } = readAnswer(begun, cached)
  return { text, stop: 'cut', usage: { ...usage, outputTokens: Math.max(usage.outputTokens, maxTokens) } }
}

type Attempt = Pick<TextModelCall, 'cacheDocument' | 'signal' | 'onStart' | 'onText' | 'onFailedAttempt'>

/** Makes one attempt. Rejects with an error of the SDK, after reporting the usage of an answer that had begun. */
export async function sendCall(
  client: Anthropic,
  body: Anthropic.MessageStreamParams,
  { cacheDocument, signal, onStart, onText, onFailedAttempt }: Attempt,
  timeoutMs: number,
): Promise<TextModelAnswer> {
  const stream = client.messages.stream(body, { signal })
  let isLate = false
  // The SDK's own timeout covers only the time until the headers of the response.
  const timer = setTimeout(() => {
    isLate = true
    stream.abort()
  }, timeoutMs)
  // The SDK's stream discards an answer that ends without its last event.
  let begun: Anthropic.Message | undefined
  let written = 0
  const isEndless = (): boolean => written > body.max_tokens * MAX_CHARACTERS_PER_TOKEN
  stream.on('streamEvent', (event, message) => {
    begun = message
    written += countWritten(event)
    if (isEndless()) stream.abort()
  })
  if (onStart) stream.once('streamEvent', onStart)
  if (onText) stream.on('text', createThoughtFilter(onText))
  try {
    return readAnswer(await stream.finalMessage(), cacheDocument)
  } catch (error) {
    if (begun && isEndless()) return readEndless(begun, cacheDocument, body.max_tokens)
    // As far as is known, an answer that has begun is billed.
    if (begun) onFailedAttempt?.(readUsage(begun.usage, cacheDocument))
    if (isPromptTooLong(error)) return { text: '', stop: 'too-long', usage: NO_USAGE }
    throw isLate ? new APIConnectionTimeoutError({ message: 'The answer was not complete within the timeout.' }) : error
  } finally {
    clearTimeout(timer)
  }
}
