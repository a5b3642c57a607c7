import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Sets the security headers. Responses are data: browsers must not run, frame or sniff them, and caches must not store them.
 * Pages and documents that need more set their own headers. There are no CORS headers: keys belong on servers.
 */
export function securityHeaders(httpsOnly: boolean): RequestHandler {
  const headers = [...readHeaders(createHelmet(httpsOnly)), ['Cache-Control', 'no-store'] as const]
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

const createHelmet = (httpsOnly: boolean): ReturnType<typeof helmet> =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // This header promises HTTPS for the whole host, so it is sent only where plain requests are refused. It leaves out
    // subdomains, which may belong to other services.
    strictTransportSecurity: httpsOnly && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
  })

/** Returns the headers that Helmet sets. They are the same for every request, so it need not run for each. */
function readHeaders(handle: ReturnType<typeof helmet>): [string, string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  handle(response.req, response, (error?: unknown) => {
    if (error) throw error
  })
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}
