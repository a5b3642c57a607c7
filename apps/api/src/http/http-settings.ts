import { mcpUrlsOf, publicBaseUrlOf } from '@subtext/runtime'
import { type ApiEnv, readPlanLimits } from '../env.ts'
import { listOwnOrigins } from './own-origin.ts'
import type { RequestLimitSettings } from './rate-limit.ts'

export interface HttpSettings {
  publicBaseUrl: string
  mcpUrl: string
  /** Origins of the service's own pages. */
  ownOrigins: readonly string[]
  httpsOnly: boolean
  /** False opens the `openable` routes to callers without a key. */
  requireApiAuth: boolean
  trustProxyHops: number
  /** Whether the workers serve the sample videos. */
  sampleVideos: boolean
  hasDashboard: boolean
  /** Health checks of a client address. */
  healthChecksPerSecond: number
  requestLimits: RequestLimitSettings
}

export const readHttpSettings = (env: ApiEnv): HttpSettings => ({
  publicBaseUrl: publicBaseUrlOf(env),
  mcpUrl: mcpUrlsOf(env)[0],
  ownOrigins: listOwnOrigins(publicBaseUrlOf(env)),
  httpsOnly: env.HTTPS_ONLY,
  requireApiAuth: env.REQUIRE_API_AUTH,
  trustProxyHops: env.TRUST_PROXY_HOPS,
  sampleVideos: env.SAMPLE_VIDEOS,
  hasDashboard: env.DASHBOARD_ENABLED,
  healthChecksPerSecond: env.HEALTH_LIMIT_ADDRESS,
  requestLimits: {
    ...readPlanLimits(env),
    admin: env.RATE_LIMIT_ADMIN,
    address: env.RATE_LIMIT_ADDRESS,
  },
})
