import type { RequestHandler } from 'express'
import helmet from 'helmet'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Answers are data: browsers run, frame and guess nothing of them, and caches keep none. Pages and documents that need more
 * say so themselves. There is no header of CORS: keys belong to servers.
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
      // A promise for the whole host, which only holds where plain requests are refused; neighbours' names are not ours.
      strictTransportSecurity: httpsOnly && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      next()
    },
  ]
}
