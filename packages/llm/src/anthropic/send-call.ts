import type Anthropic from '@anthropic-ai/sdk'
import { APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import type { TextModelAnswer, TextModelCall, TextModelUsage } from '../text-model.ts'
import { isPromptTooLong } from './classify-failure.ts'

const EFFORT = 'medium'

/** Only the last block and the format differ between the calls about a transcript: the rest is read from the cache. */
export const buildRequest = (model: string, call: TextModelCall): Anthropic.MessageStreamParams => ({
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

/** Sound whoever counted: see `acceptUnstreamed`. */
const readUsage = (usage: Anthropic.Usage): TextModelUsage => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cachedInputTokens: usage.cache_read_input_tokens ?? 0,
  cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
})

const NOTHING: TextModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 }

/** One try, which rejects with an error of the SDK; `onLoss` is told before what it has cost. */
export async function sendCall(
  client: Anthropic,
  body: Anthropic.MessageStreamParams,
  { signal, onStart, onLoss }: Pick<TextModelCall, 'signal' | 'onStart' | 'onLoss'>,
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
    throw isLate ? new APIConnectionTimeoutError({ message: 'The answer took too long.' }) : error
  } finally {
    clearTimeout(timer)
  }
}
