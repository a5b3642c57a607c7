const LOCAL_SERVICE = 'http://127.0.0.1:3000'

/**
 * Returns the settings of the server over standard input and output. Empty ones count as missing. They come before the names of the
 * SDK, which may belong to another service: its URL must not be used with this key.
 */
export function readEnv(): { apiKey?: string; baseUrl?: string } {
  const { SERVICE_API_KEY, SERVICE_API_BASE } = process.env
  return {
    apiKey: SERVICE_API_KEY || undefined,
    baseUrl: SERVICE_API_BASE || (SERVICE_API_KEY ? LOCAL_SERVICE : undefined),
  }
}
