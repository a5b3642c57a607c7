import { type ProxySettings, readProxySettings } from '@subtext/runtime/proxied-fetch'

const LOCAL_SERVICE = 'http://127.0.0.1:3000'

/**
 * Returns the settings of the server over standard input and output. Empty ones count as missing. They come before the names of the
 * SDK, which may belong to another service: neither its URL nor its key is used together with one of these.
 */
export function readEnv(env: NodeJS.ProcessEnv = process.env): { apiKey?: string; baseUrl?: string } {
  const { SERVICE_API_KEY = '', SERVICE_API_BASE = '' } = env
  if (!SERVICE_API_KEY && !SERVICE_API_BASE) return {}
  return { apiKey: SERVICE_API_KEY, baseUrl: SERVICE_API_BASE || LOCAL_SERVICE }
}

/** Returns the proxies through which the service is reached. */
export const readProxies = (env: NodeJS.ProcessEnv = process.env): ProxySettings => readProxySettings(env)
