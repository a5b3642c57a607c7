import { LANES } from '@subtext/contracts'
import { parseSchedule } from '@subtext/core/webhooks'
import { parseModelPrices } from '@subtext/llm'
import { CommonEnv, count, httpUrl, list, loadEnv } from '@subtext/runtime'
import { clientList, DEFAULT_CLIENTS } from '@subtext/youtube'
import { z } from 'zod'

const schedule = z.string().transform((text, issue) => {
  const seconds = parseSchedule(text)
  if (seconds) return seconds
  issue.addIssue('Must be a list of durations such as 2s,10s,1m.')
  return z.NEVER
})

const modelPrices = z.string().transform((text, issue) => {
  const { prices, errors } = parseModelPrices(text)
  for (const error of errors) issue.addIssue(error)
  return prices
})

const SettableWorkerEnv = CommonEnv.extend({
  WORKER_CONCURRENCY: count(8, 1, 500).describe(
    'Jobs a worker runs at once; an urgent one starts even when lent slots are not back yet.',
  ),
  WORKER_LANES: list
    .pipe(z.array(z.enum(LANES)).min(1))
    .prefault('high,normal')
    .describe('Lanes a worker serves, separated by commas.'),
  ACCOUNT_MAX_RUNNING: count(5, 1, 10_000).describe(
    'Jobs of a lane an account may have under way while others wait; more only in slots that would be idle.',
  ),
  JOB_LEASE_SECONDS: count(15, 2, 600).describe('Seconds after which the job of a worker that died is taken over.'),
  JOB_TIMEOUT_SECONDS: count(900, 10, 86_400).describe('Longest time a try of a job may take.'),
  JOB_RETRY_SCHEDULE: schedule.prefault('2s,10s,30s').describe('Pauses before further tries of a job.'),
  RETENTION_RESULTS_DAYS: count(0, 0, 36_500).describe('Days after which ended jobs and their results go; 0: never.'),
  RETENTION_CACHE_DAYS: count(0, 0, 36_500).describe(
    'Days after which transcripts and summaries go that no result has any more, and notes on transcripts; 0: never.',
  ),
  RETENTION_WEBHOOKS_DAYS: count(30, 0, 36_500).describe(
    'Days after which webhook events go whose deliveries have ended; 0: with their jobs.',
  ),
  SUMMARIZER: z
    .enum(['anthropic', 'extractive'])
    .optional()
    .describe('Who writes summaries; default: anthropic when ANTHROPIC_API_KEY is set, else extractive.'),
  SUMMARY_MODEL: z.string().default('claude-haiku-5-5').describe('Model that writes the summaries.'),
  MODEL_CONCURRENCY: count(32, 1, 10_000).describe(
    'Calls of the model that all workers together make at once at most; fewer while the provider complains.',
  ),
  MODEL_TIMEOUT_SECONDS: count(300, 1, 3_600).describe('Longest time a call of the model may take.'),
  MODEL_SILENCE_SECONDS: count(90, 1, 300).describe(
    'Longest time within an answer of the model without a sign of life; more where a gateway keeps back its pings.',
  ),
  SUMMARY_MAX_PROMPT_TOKENS: count(90_000, 10_000, 2_000_000).describe(
    'Longest prompt for the model in tokens; a longer transcript is read in parts.',
  ),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'US dollars for a million tokens that go before the built-in prices: model=input/output/cacheWrite/cacheRead,...; model>100000=... for prompts above so many tokens.',
    ),
  ANTHROPIC_API_KEY: z.string().optional().describe('Key for the Messages API.'),
  ANTHROPIC_BASE_URL: httpUrl.optional().describe('Origin of the Messages API.'),
  YOUTUBE_ORIGIN: httpUrl.optional().describe('Origin that gets every request meant for the video platform.'),
  PROXY_URLS: list.pipe(z.array(httpUrl)).optional().describe('Proxies to the video platform, separated by commas.'),
  YOUTUBE_CLIENTS: clientList
    .prefault(DEFAULT_CLIENTS)
    .describe('Apps as which the video platform is asked, in order, each with a version or without.'),
  BLOCKED_EXIT_REST_SECONDS: count(30, 1, 900).describe(
    'Seconds that a way out to the video platform is left alone when it is blocked; doubled each time, up to 15 minutes.',
  ),
  PO_TOKEN_ORIGIN: httpUrl
    .optional()
    .describe('Origin of a bgutil token provider, which the client WEB needs; none: WEB is not used.'),
})

export const WorkerEnv = SettableWorkerEnv.refine((env) => env.SUMMARIZER !== 'anthropic' || env.ANTHROPIC_API_KEY, {
  path: ['ANTHROPIC_API_KEY'],
  error: 'Is needed for SUMMARIZER=anthropic.',
})
export type WorkerEnv = z.output<typeof WorkerEnv>

const PlatformEnv = SettableWorkerEnv.pick({
  YOUTUBE_ORIGIN: true,
  PROXY_URLS: true,
  YOUTUBE_CLIENTS: true,
  PO_TOKEN_ORIGIN: true,
})

/** What leads to the video platform, for commands that need nothing else. */
export const readPlatformEnv = (): z.output<typeof PlatformEnv> => loadEnv(PlatformEnv, process.env)

export const readEnv = (): WorkerEnv => loadEnv(WorkerEnv, process.env)
