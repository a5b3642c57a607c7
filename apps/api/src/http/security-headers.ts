import type { RequestHandler } from 'express'
import helmet from 'helmet'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Sets the security headers. Responses are data: browsers must not run, frame or sniff them, and caches must not store them.
 * Pages and documents that need more set their own headers. There are no CORS headers: keys belong on servers.
 */
export function securityHeaders(httpsOnly: boolean): RequestHandler[] {
  return [
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
      // It promises HTTPS for the whole host, so it is sent only where plain requests are refused. Subdomains are not ours.
      strictTransportSecurity: httpsOnly && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      next()
    },
  ]
}
