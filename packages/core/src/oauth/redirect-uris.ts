const MAX_LENGTH = 1_000
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
/**
 * Schemes that lead to no application: browsers run or show what they contain, or open a connection. Desktop applications name
 * theirs as they like, although RFC 8252, section 7.1, requires a domain.
 */
const REFUSED_SCHEMES = new Set([
  ...['javascript', 'data', 'file', 'blob', 'vbscript', 'about', 'view-source', 'intent'],
  ...['ws', 'wss', 'ftp', 'filesystem', 'jar', 'mailto', 'tel', 'sms'],
])
/** A name or an IPv6 address. Others, such as `*`, would have a meaning in the policy of the page that leads there. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
/** What a scheme may contain, in which no source of a policy ends. */
const SAFE_SCHEME = /^[a-z][a-z0-9+.-]*$/

/** Returns whether a client may be sent to this address: over TLS, on the person's own machine, or in an application. */
export function isAllowedRedirect(text: string): boolean {
  // Browsers ignore some of these characters, and read others as slashes.
  if (text.length > MAX_LENGTH || /[\s\\\p{Cc}#]/u.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.username || url.password) return false
  const scheme = url.protocol.slice(0, -1)
  if (scheme === 'https') return HOST_NAME.test(url.hostname)
  if (scheme === 'http') return LOOPBACK.has(url.hostname)
  return !REFUSED_SCHEMES.has(scheme) && SAFE_SCHEME.test(scheme)
}

/**
 * Returns whether a registered address covers the one of a request: the same text or, on the person's own machine, another
 * port.
 */
export function coversRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const [one, other] = [URL.parse(registered), URL.parse(requested)]
  if (one?.protocol !== 'http:' || !other || !LOOPBACK.has(one.hostname)) return false
  // Programs listen on a port that happens to be free (RFC 8252, section 7.3).
  one.port = ''
  other.port = ''
  return one.href === other.href
}

/** Returns where a person is sent, in a form that they recognize: a host, their own computer, or an application. */
export function describeRedirect(text: string): string {
  const { protocol, hostname, host } = new URL(text)
  if (protocol === 'https:') return host
  return protocol === 'http:' && LOOPBACK.has(hostname) ? 'a program on this computer' : `the application “${protocol}”`
}

/** Returns the source of a Content-Security-Policy to which forms may lead. */
export function policySourceOf(text: string): string {
  const { protocol, origin } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
