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

/** Returns whether requests with this method change nothing (RFC 9110, section 9.2.1). */
export const changesNothing = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)
