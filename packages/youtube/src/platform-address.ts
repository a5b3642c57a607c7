export const PLATFORM = 'https://www.youtube.com'

const isPlatformHost = (host: string): boolean =>
  host === 'youtube.com' || host.endsWith('.youtube.com') || host === 'youtubei.googleapis.com'

/** Whether an address, which may come from a hostile answer, is one of the platform's own (or of its replacement `origin`). */
export const isPlatformAddress = (url: URL, origin?: string): boolean => {
  if (url.username !== '' || url.password !== '') return false
  if (origin !== undefined && url.origin === new URL(origin).origin) return true
  return url.protocol === 'https:' && url.port === '' && isPlatformHost(url.hostname)
}

/** The address to connect to instead of `url`, on `origin`. Parts are set one by one: a path may look like a host. */
export const buildTarget = (url: URL, origin: string): URL => {
  const target = new URL(origin)
  target.pathname = url.pathname
  target.search = url.search
  return target
}

/** The host that `url` is meant for; `origin` stands for the platform's main one. */
export const wantedHost = (url: URL, origin: string): string =>
  url.origin === new URL(origin).origin ? new URL(PLATFORM).host : url.host
