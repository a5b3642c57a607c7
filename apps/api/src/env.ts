import { CommonEnv, count, flag, httpUrl, keyRing, list, loadEnv } from '@subtext/runtime'
import { z } from 'zod'

const requestLimit = (fallback: number, who: string) =>
  count(fallback, 1, 1_000_000_000).describe(`Requests an hour of ${who}.`)

export const ApiEnv = CommonEnv.extend({
  PORT: count(3000, 1, 65_535).describe('Port of the API.'),
  PUBLIC_BASE_URL: httpUrl.optional().describe('Origin under which callers reach the API; default: http://HOST:PORT.'),
  HTTPS_ONLY: flag(false).describe('Refuse requests that did not arrive over TLS.'),
  REQUIRE_API_AUTH: flag(true).describe('Demand a key for thumbnails, too; false in development alone.'),
  TRUST_PROXY_HOPS: count(0, 0, 10).describe('Proxies in front whose X-Forwarded-* headers are believed.'),
  RATE_LIMIT_FREE: requestLimit(60, 'a key of a free user'),
  RATE_LIMIT_PLUS: requestLimit(300, 'a key of a plus user'),
  RATE_LIMIT_PRO: requestLimit(3_000, 'a key of a pro user'),
  RATE_LIMIT_ADMIN: requestLimit(30_000, 'an admin key'),
  RATE_LIMIT_ADDRESS: requestLimit(1_000, 'an address that shows no good key'),
  PROXY_URLS: list.pipe(z.array(httpUrl)).optional().describe('Proxies to the video platform, separated by commas.'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('Allow webhooks to private addresses (development).'),
  WEBHOOK_HTTPS_ONLY: flag(false).describe('Refuse webhooks that are not https; production files set it.'),
  WEBHOOK_SECRET_KEY: keyRing.describe(
    'Keys that webhook secrets are kept under: 32 bytes in base64 or hexadecimal, several as name:key,name:key; the first one seals. `npm start` makes one in its data directory.',
  ),
})
export type ApiEnv = z.output<typeof ApiEnv>

export const readEnv = (): ApiEnv => loadEnv(ApiEnv, process.env)

/** Where the API is reached from its own machine. */
export const localOrigin = ({ HOST, PORT }: Pick<ApiEnv, 'HOST' | 'PORT'>): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
