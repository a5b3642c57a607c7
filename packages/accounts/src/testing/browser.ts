type Method = 'get' | 'post' | 'patch' | 'delete'

/** The part of a response that a browser reads by itself. */
interface Reply {
  headers: { [name: string]: unknown; 'set-cookie'?: string | string[] }
}

/** Sends a request to the service, and returns its response. */
type Send<A extends Reply> = (
  method: Method,
  path: string,
  headers: Record<string, string>,
  body?: object,
) => PromiseLike<A>

export interface Browser<A extends Reply> {
  /** Cookies by name, as the server has set them. */
  cookies: Map<string, string>
  /** Sends a request as a page of the service would. Headers replace those of the browser; null leaves one out. */
  send(method: Method, path: string, body?: object, headers?: Record<string, string | null>): Promise<A>
}

/** The address at which browsers in tests reach the service. */
export const TEST_ORIGIN = 'http://127.0.0.1:3000'

/** Returns the `Cookie` header of a browser, or undefined if it has no cookies. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>): string | undefined =>
  cookies.size > 0 ? [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') : undefined

/** Opens a browser that keeps cookies as browsers do, and names its origin in requests that change something. */
export function openBrowser<A extends Reply>(send: Send<A>, origin = TEST_ORIGIN): Browser<A> {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method, path, body, headers = {}) {
      const own = {
        Origin: method === 'get' ? null : origin,
        Cookie: cookieHeader(cookies) ?? null,
        'User-Agent': 'Test browser',
        ...headers,
      }
      const sent = Object.entries(own).filter((header): header is [string, string] => header[1] !== null)
      const target = path.startsWith(origin) ? path.slice(origin.length) : path
      const reply = await send(method, target, Object.fromEntries(sent), body)
      for (const cookie of [reply.headers['set-cookie'] ?? []].flat()) keep(cookies, cookie)
      return reply
    },
  }
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name)
  else cookies.set(name, value)
}
