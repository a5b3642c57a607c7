import { CommonEnv, count, flag, httpUrl, list, loadEnv } from '@subtext/runtime'
import { z } from 'zod'

export const ApiEnv = CommonEnv.extend({
  PORT: count(3000, 1, 65_535).describe('Port of the API.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on.'),
  PUBLIC_BASE_URL: httpUrl.optional().describe('Origin under which callers reach the API; default: http://HOST:PORT.'),
  HTTPS_ONLY: flag(false).describe('Refuse requests that did not arrive over TLS.'),
  TRUST_PROXY_HOPS: count(0, 0, 10).describe('Proxies in front whose X-Forwarded-* headers are believed.'),
  PROXY_URLS: list.pipe(z.array(httpUrl)).optional().describe('Proxies to the video platform, separated by commas.'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('Allow webhooks to private addresses (development).'),
})
export type ApiEnv = z.output<typeof ApiEnv>

export const readEnv = (): ApiEnv => loadEnv(ApiEnv, process.env)

/** Where the API is reached from its own machine. */
export const localOrigin = ({ HOST, PORT }: Pick<ApiEnv, 'HOST' | 'PORT'>): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
