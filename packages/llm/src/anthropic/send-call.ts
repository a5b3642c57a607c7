import type Anthropic from '@anthropic-ai/sdk'
import { APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import type { TextModelAnswer, TextModelCall, TextModelPrompt, TextModelUsage } from '../text-model.ts'
import { isPromptTooLong } from './classify-failure.ts'

const EFFORT = 'medium'

/** Only the last block and the format differ between the calls about a transcript; the cache covers everything else. */
export const buildRequest = (model: string, prompt: TextModelPrompt): Anthropic.MessageStreamParams => ({
  model,
  max_tokens: prompt.maxOutputTokens,
  system: prompt.system,
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: prompt.document },
          ...(prompt.cacheDocument && { cache_control: { type: 'ephemeral' } }),
        },
        { type: 'text', text: prompt.instruction },
      ],
    },
  ],
  // The documentation disagrees on whether the effort is part of the cache key, so all calls use the same one.
  output_config: { effort: EFFORT, format: { type: 'json_schema', schema: prompt.schema } },
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

/** The counts are valid whatever the provider sent: see `normalizeCounts`. */
const readUsage = (usage: Anthropic.Usage): TextModelUsage => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cachedInputTokens: usage.cache_read_input_tokens ?? 0,
  cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
})

const NO_USAGE: TextModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 }

/** Makes one attempt. Rejects with an error of the SDK, after reporting the usage of an answer that had begun. */
export async function sendCall(
  client: Anthropic,
  body: Anthropic.MessageStreamParams,
  { signal, onStart, onFailedAttempt }: Pick<TextModelCall, 'signal' | 'onStart' | 'onFailedAttempt'>,
  timeoutMs: number,
): Promise<TextModelAnswer> {
  const stream = client.messages.stream(body, { signal })
  let isLate = false
  // The SDK's own timeout ends with the headers of the response.
  const timer = setTimeout(() => {
    isLate = true
    stream.abort()
  }, timeoutMs)
  if (onStart) stream.once('streamEvent', onStart)
  try {
    return readAnswer(await stream.finalMessage())
  } catch (error) {
    // An answer that began is billed, as far as is known.
    if (stream.currentMessage) onFailedAttempt?.(readUsage(stream.currentMessage.usage))
    if (isPromptTooLong(error)) return { text: '', stop: 'too-long', usage: NO_USAGE }
    throw isLate ? new APIConnectionTimeoutError({ message: 'The answer was not complete within the timeout.' }) : error
  } finally {
    clearTimeout(timer)
  }
}
