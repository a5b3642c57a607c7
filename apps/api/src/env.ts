import { BlobEnv } from '@subtext/blobs'
import { byPlan, PLAN_NAMES, PLANS, type Plan } from '@subtext/contracts'
import { planQuotas } from '@subtext/core/plans'
import { ModelEnv, requireModelSettings } from '@subtext/llm/settings'
import {
  CommonEnv,
  ConnectionEnv,
  count,
  flag,
  httpUrl,
  infographicsEnabled,
  keyRing,
  list,
  loadEnv,
  McpAddressEnv,
  PublicEnv,
  sampleVideos,
  webhookAllowPrivate,
} from '@subtext/runtime'
import { z } from 'zod'
import { AccountEnv, requireWholeGroups } from './account-env.ts'

const requestLimit = (fallback: number, caller: string) =>
  count(fallback, 1, 1_000_000_000).describe(`Requests per hour for ${caller}.`)

type PlanLimitName = `RATE_LIMIT_${Uppercase<Plan>}`
const planLimitName = (plan: Plan): PlanLimitName => `RATE_LIMIT_${plan.toUpperCase() as Uppercase<Plan>}`

const PLAN_LIMITS = Object.fromEntries(
  PLAN_NAMES.map((plan) => [
    planLimitName(plan),
    requestLimit(PLANS[plan].requestsPerHour, 'a key, by plan, as in RATE_LIMIT_PRO. Defaults: docs/guides/limits.md')
      // Plans share one entry in .env.example.
      .meta({ family: 'RATE_LIMIT_<PLAN>' }),
  ]),
) as Record<PlanLimitName, ReturnType<typeof requestLimit>>

const SettableApiEnv = CommonEnv.extend({
  ...PublicEnv.shape,
  HTTPS_ONLY: flag(false).describe('Refuse requests that did not arrive over TLS.'),
  DATABASE_TIMEOUT_SECONDS: count(2, 1, 60).describe(
    'Seconds after which a request is refused with 503 if PostgreSQL does not respond.',
  ),
  REQUIRE_API_AUTH: flag(true).describe('Require an API key for thumbnails as well. Set to false in development only.'),
  ...ConnectionEnv.shape,
  ...PLAN_LIMITS,
  PLAN_QUOTAS: planQuotas,
  RATE_LIMIT_ADMIN: requestLimit(30_000, 'an admin key'),
  HEALTH_LIMIT_ADDRESS: count(100, 1, 1_000_000).describe('Health checks per second for an IP address.'),
  YOUTUBE_ORIGIN: httpUrl.optional().describe('Origin that receives every request meant for the video platform.'),
  SAMPLE_VIDEOS: sampleVideos,
  ...BlobEnv.shape,
  RENDER_MEMORY_MB: count(2_048, 256, 65_536).describe(
    'Memory of a process that renders a document, in megabytes. Two run at the same time. The PDF of a ten-hour video takes up to 450.',
  ),
  RENDER_TIMEOUT_SECONDS: count(60, 1, 600).describe('Maximum CPU time for rendering a document, in seconds.'),
  PROXY_URLS: list.pipe(z.array(httpUrl)).optional().describe('Proxies to the video platform, separated by commas.'),
  CHAT_DAILY_MESSAGES: count(300, 1, 1_000_000).describe(
    'Questions that an account can ask in chats per UTC day. Admin keys have no limit.',
  ),
  // The same settings as the workers, because estimates depend on them.
  ...ModelEnv.shape,
  INFOGRAPHICS_ENABLED: infographicsEnabled,
  WEBHOOK_ALLOW_PRIVATE: webhookAllowPrivate,
  WEBHOOK_HTTPS_ONLY: flag(false).describe('Refuse webhook URLs that do not use https. The production files set it.'),
  WEBHOOK_SECRET_KEY: keyRing.describe(
    'Keys that encrypt webhook secrets, each 32 bytes in base64 or hexadecimal. Several are written as name:key,name:key; the first one encrypts. `npm start` creates one in its data directory.',
  ),
  ...AccountEnv.shape,
  ...McpAddressEnv.shape,
})

export const ApiEnv = requireModelSettings(SettableApiEnv.superRefine(requireWholeGroups))
export type ApiEnv = z.output<typeof ApiEnv>

/** Where the API listens, and its public origin. */
export const OriginEnv = SettableApiEnv.pick({ HOST: true, PORT: true, PUBLIC_BASE_URL: true })
/** Requests per hour. */
export const RequestLimitEnv = SettableApiEnv.pick({ RATE_LIMIT_ADMIN: true, RATE_LIMIT_ADDRESS: true })

/** Returns the requests per hour for keys on each plan. */
export const readPlanLimits = (env: Pick<ApiEnv, PlanLimitName>): Record<Plan, number> =>
  byPlan((plan) => env[planLimitName(plan)])

export const readEnv = (): ApiEnv => loadEnv(ApiEnv, process.env)
