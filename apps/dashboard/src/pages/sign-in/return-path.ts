/** Paths that the service takes and gives back as they are. */
const PLAIN = /^[\w\-./?=&]*$/

/**
 * Returns the path to which a link by email or a provider leads back. The service accepts no hash, such as that of a moment, and decodes
 * what is percent-encoded, so any path with either becomes an opaque parameter of the page `/return`.
 */
export function returnPathOf(path: string): string {
  if (PLAIN.test(path)) return path
  const bytes = String.fromCharCode(...new TextEncoder().encode(path))
  return `/return?to=${btoa(bytes)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')}`
}

/** Returns the path in the parameter of `/return`; undefined if it is not well-formed. The path may be of another site. */
export function readReturnPath(parameter: string): string | undefined {
  try {
    const bytes = atob(parameter.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** Accepts only paths of this site, because another address could be a hostile page. */
export const readOwnPath = (path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  const url = URL.canParse(path, location.origin) ? new URL(path, location.origin) : null
  // `/.//example.org` is a path here, but would become a host if it were resolved again.
  return url?.origin === location.origin && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : undefined
}

/** Returns whether a path is that of a page of the API, such as the consent page for applications. */
export const isOfApi = (path: string): boolean => path.startsWith('/auth/')
