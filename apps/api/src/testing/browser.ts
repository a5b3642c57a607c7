import type { Express } from 'express'
import supertest, { type Response } from 'supertest'

type Method = 'get' | 'post' | 'patch' | 'delete'

export interface Browser {
  /** Cookies by name, as the server has set them. */
  cookies: Map<string, string>
  /** Sends a request as a page of the service would. Headers replace those of the browser; null leaves one out. */
  send(method: Method, path: string, body?: object, headers?: Record<string, string | null>): Promise<Response>
}

/** The address at which browsers in tests reach the service. */
export const TEST_ORIGIN = 'http://127.0.0.1:3000'

/** Opens a browser that keeps cookies as browsers do, and names its origin in requests that change something. */
export function openBrowser(app: Express, origin = TEST_ORIGIN): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method, path, body, headers = {}) {
      const target = path.startsWith(origin) ? path.slice(origin.length) : path
      const request = supertest(app)[method](target).redirects(0)
      const own = {
        ...(method !== 'get' && { Origin: origin }),
        ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        'User-Agent': 'Test browser',
        ...headers,
      }
      for (const [name, value] of Object.entries(own)) if (value !== null) request.set(name, value)
      const response = await (body === undefined ? request : request.send(body))
      for (const cookie of [response.headers['set-cookie'] ?? []].flat()) keep(cookies, cookie)
      return response
    },
  }
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name)
  else cookies.set(name, value)
}
