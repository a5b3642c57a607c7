import { withSpan } from '@subtext/runtime'
import type { TextModelAnswer } from '../text-model.ts'
import { classifyFailure } from './classify-failure.ts'

/** Makes a call in a span that follows the semantic conventions for generative AI. The span holds numbers and no texts. */
export const traceCall = (
  model: string,
  maxOutputTokens: number,
  call: () => Promise<TextModelAnswer>,
): Promise<TextModelAnswer> =>
  withSpan(
    `chat ${model}`,
    {
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': model,
        'gen_ai.request.max_tokens': maxOutputTokens,
      },
    },
    async (span) => {
      const { usage, ...answer } = await call().catch((error: unknown) => {
        span.fail(classifyFailure(error, Date.now())?.kind ?? 'unexpected')
        throw error
      })
      const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage
      span.setAttributes({
        'gen_ai.usage.input_tokens': inputTokens + cachedInputTokens + cacheWriteTokens,
        'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
        'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        'gen_ai.response.finish_reasons': [answer.stop],
      })
      return { ...answer, usage }
    },
  )
