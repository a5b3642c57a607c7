import { PLAIN_PAGE_POLICY } from '@subtext/render'
import type { Response } from 'express'
import helmet from 'helmet'

/**
 * Sends a page made by `renderPlainPage`. It can be in no frame, and runs nothing but the choice of its theme. `formTargets`:
 * where its form may lead besides this service.
 */
export function sendPlainPage(response: Response, html: string, formTargets: string[] = []): void {
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      ...PLAIN_PAGE_POLICY,
      'base-uri': ["'none'"],
      // Browsers check where the response to a form redirects to as well.
      'form-action': ["'self'", ...formTargets],
      'frame-ancestors': ["'none'"],
    },
  })(response.req, response, () => {})
  // Under `no-referrer`, browsers send the form with the origin "null", which is refused.
  response.setHeader('Referrer-Policy', 'same-origin')
  response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)
}
