export const PLATFORM = 'https://www.youtube.com'

const isPlatformHost = (host: string): boolean =>
  host === 'youtube.com' || host.endsWith('.youtube.com') || host === 'youtubei.googleapis.com'

/** Returns whether an address, which may come from a hostile response, belongs to the platform or to its replacement `origin`. */
export const isPlatformAddress = (url: URL, origin?: string): boolean => {
  if (url.username !== '' || url.password !== '') return false
  if (origin !== undefined && url.origin === new URL(origin).origin) return true
  return url.protocol === 'https:' && url.port === '' && isPlatformHost(url.hostname)
}

/** Returns the address on `origin` that replaces `url`. Its parts are set separately, since a path may look like a host. */
export const buildTarget = (url: URL, origin: string): URL => {
  const target = new URL(origin)
  target.pathname = url.pathname
  target.search = url.search
  return target
}

/** Returns the host that `url` is meant for. `origin` replaces the platform's main host. */
export const wantedHost = (url: URL, origin: string): string =>
  url.origin === new URL(origin).origin ? new URL(PLATFORM).host : url.host
