/** The usual settings of proxies for outgoing requests. */
export interface ProxySettings {
  HTTPS_PROXY?: string | undefined
  HTTP_PROXY?: string | undefined
  /** Hosts that are reached without a proxy. */
  NO_PROXY?: string | undefined
}

/** Returns the settings of an environment. Names in lower case come first, as in curl. */
export const readProxySettings = (env: NodeJS.ProcessEnv): ProxySettings => ({
  HTTPS_PROXY: env.https_proxy || env.HTTPS_PROXY,
  HTTP_PROXY: env.http_proxy || env.HTTP_PROXY,
  NO_PROXY: env.no_proxy || env.NO_PROXY,
})

/** No proxy reaches this machine. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Returns a `fetch` that uses the proxies of the settings, or undefined if they name none. */
export function createProxiedFetch({
  HTTPS_PROXY,
  HTTP_PROXY,
  NO_PROXY = '',
}: ProxySettings): typeof fetch | undefined {
  if (!HTTPS_PROXY && !HTTP_PROXY) return undefined
  if (NO_PROXY.split(/[\s,]+/).includes('*')) return undefined
  const open = async () => {
    // Loaded only where there is a proxy.
    const { EnvHttpProxyAgent, fetch } = await import('undici')
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy: HTTP_PROXY ?? '',
      httpsProxy: HTTPS_PROXY ?? '',
      noProxy: [NO_PROXY, ...OWN_HOSTS].join(','),
    })
    return { fetch, dispatcher }
  }
  let opening: ReturnType<typeof open> | undefined
  const send = async (input: string, init: object = {}) => {
    // undici would send requests over TLS through the other proxy.
    const proxy = new URL(input).protocol === 'https:' ? HTTPS_PROXY : HTTP_PROXY
    if (!proxy) return globalThis.fetch(input, init)
    opening ??= open()
    const { fetch, dispatcher } = await opening
    return fetch(input, { ...init, dispatcher })
  }
  return send as unknown as typeof fetch
}
