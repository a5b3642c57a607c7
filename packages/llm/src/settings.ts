import { count, httpUrl } from '@subtext/runtime'
import { z } from 'zod'
import { findPricing, type Pricing } from './model-prices.ts'
import { parseModelPrices } from './parse-model-prices.ts'

const modelPrices = z.string().transform((text, issue) => {
  const { prices, errors } = parseModelPrices(text)
  for (const error of errors) issue.addIssue(error)
  return prices
})

/** Settings of the processes that call a language model. */
export const ModelEnv = z.object({
  SUMMARIZER: z
    .enum(['anthropic', 'extractive'])
    .optional()
    .describe('Summarizer. Default: anthropic if ANTHROPIC_API_KEY is set, otherwise extractive.'),
  SUMMARY_MODEL: z
    .string()
    .default('claude-haiku-5-5')
    .describe('Model that writes summaries, infographics and answers to questions.'),
  MODEL_CONCURRENCY: count(32, 1, 10_000).describe(
    'Maximum number of concurrent calls to the model by all processes, an eighth of them for chat. Lower while the provider limits the rate.',
  ),
  MODEL_TIMEOUT_SECONDS: count(300, 1, 3_600).describe('Timeout of a call to the model, in seconds.'),
  MODEL_SILENCE_SECONDS: count(90, 1, 300).describe(
    'Seconds without data after which a streamed answer of the model is aborted. Raise it behind a gateway that withholds pings.',
  ),
  SUMMARY_MAX_PROMPT_TOKENS: count(90_000, 10_000, 2_000_000).describe(
    'Maximum prompt for the model, in tokens. A longer transcript is read in parts.',
  ),
  MODEL_CONTEXT_TOKENS: z.coerce
    .number()
    .int()
    .min(4_096)
    .max(10_000_000)
    .optional()
    .describe(
      "Context window of the model, in tokens, for prompt and answer together. For a model of your own, set it to the value its server was started with. Transcripts that do not fit are read in parts. Default: the provider's, which no prompt reaches.",
    ),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'Prices in US dollars per million tokens, which override the built-in ones: model=input/output/cacheWrite/cacheRead,...; model>100000=... applies to prompts above that many tokens. Models without prices cost 0, and spending limits are refused for them.',
    ),
  DAILY_SPEND_LIMIT_USD: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'What all calls of the model may cost in a UTC day, in US dollars. Before a call, its highest possible cost is reserved; what does not fit is not called. Needs the prices of the model. Default: no limit.',
    ),
  ANTHROPIC_API_KEY: z.string().optional().describe('Key for the Messages API. For a server without keys, any text.'),
  ANTHROPIC_BASE_URL: httpUrl
    .optional()
    .describe('Origin of the Messages API: of a gateway, or of a server with a model of your own.'),
  HTTPS_PROXY: httpUrl
    .optional()
    .describe('Proxy through which the model is reached. Also read in lower case, as are the next two.'),
  HTTP_PROXY: httpUrl.optional().describe('The same for a model at an address that begins with http:.'),
  NO_PROXY: z
    .string()
    .optional()
    .describe('Hosts that are reached without these proxies, separated by commas; * for all. This machine always is.'),
})
export type ModelEnv = z.output<typeof ModelEnv>

type PricedSettings = Pick<ModelEnv, 'SUMMARIZER' | 'ANTHROPIC_API_KEY' | 'SUMMARY_MODEL' | 'MODEL_PRICES'>

/** Returns what is known about the costs of the model that the settings name. Without a model, everything is free. */
export const selectPricing = (env: PricedSettings): Pricing =>
  env.SUMMARIZER === 'extractive' || !env.ANTHROPIC_API_KEY ? 'free' : findPricing(env.SUMMARY_MODEL, env.MODEL_PRICES)

/** Returns the limits of prompts that the settings name. */
export const promptLimitsOf = (env: Pick<ModelEnv, 'SUMMARY_MAX_PROMPT_TOKENS' | 'MODEL_CONTEXT_TOKENS'>) => ({
  maxPromptTokens: env.SUMMARY_MAX_PROMPT_TOKENS,
  contextTokens: env.MODEL_CONTEXT_TOKENS,
})

/** Refines the settings of a process: a model that was asked for needs its key, and a spending limit the prices of the model. */
export const requireModelSettings = <S extends z.ZodType<ModelEnv>>(schema: S): S =>
  schema
    .refine((env) => env.SUMMARIZER !== 'anthropic' || env.ANTHROPIC_API_KEY, {
      path: ['ANTHROPIC_API_KEY'],
      error: 'Required for SUMMARIZER=anthropic.',
    })
    .refine((env) => env.DAILY_SPEND_LIMIT_USD === undefined || selectPricing(env) !== 'unpriced', {
      path: ['DAILY_SPEND_LIMIT_USD'],
      error: 'Cannot be kept, because the price of SUMMARY_MODEL is unknown. Name it in MODEL_PRICES.',
    })
