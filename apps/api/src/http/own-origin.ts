import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Returns the origins of the service's own pages. On the developer's own machine, all names of the machine are the same
 * service.
 */
export function listOwnOrigins(publicBaseUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(publicBaseUrl)
  if (!LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin)
}

/** Returns whether an `Origin` header names this service. */
export const isOwnOrigin = (ownOrigins: readonly string[], origin: string | undefined): boolean =>
  origin !== undefined && ownOrigins.includes(origin)

/** Returns whether a page of this service has sent a request. Browsers say where a request comes from in two headers. */
export const isFromOwnPage = (ownOrigins: readonly string[], headers: IncomingHttpHeaders): boolean =>
  isOwnOrigin(ownOrigins, headers.origin) && !isFromElsewhere(headers)

/** Returns whether a browser says that the page of another site has sent a request (Fetch Metadata). */
export const isFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))

/** Returns whether requests with this method change nothing (RFC 9110, section 9.2.1). */
export const changesNothing = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)
