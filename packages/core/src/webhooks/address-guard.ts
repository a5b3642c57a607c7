import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { isInSpecialRange, METADATA_NAMES } from './special-ranges.ts'

export interface WebhookUrlPolicy {
  /** Allows addresses of this machine and of its networks (for development). */
  allowPrivate: boolean
  httpsOnly: boolean
}

const PRIVATE = 'Must not point to a private or special address.'
/** Maximum lengths of a whole name as typed, and of each of its labels (RFC 1035, section 2.3.4). */
const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63

/** How long a caller waits for name servers. */
const LOOKUP_TIMEOUT_MS = 1_500

const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

// Names that are resolved within a local network: RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's `internal`, and names
// that home and office networks use.
const LOCAL_NAMES = new Set(['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'onion', 'home.arpa'])

// Ports of services that do not speak HTTP but might act on the text of an HTTP request: the bad ports of the Fetch
// standard (https://fetch.spec.whatwg.org/#bad-port), and the usual ports of databases, caches and remote desktops.
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 445, 1433, 1521, 3306, 3389, 5432, 5900, 6379, 11_211,
  27_017,
])

/**
 * Returns whether an IP address belongs to the public Internet. Whatever is not known to be public is not: private, loopback,
 * link-local, metadata, carrier, documentation, multicast and reserved ranges, addresses with a zone, and IPv4 addresses
 * embedded in IPv6 (compatible, NAT64, 6to4, Teredo, ISATAP). Only IPv4-mapped addresses are judged by the IPv4 address that
 * they contain. Ranges: IANA special-purpose address registries (RFC 6890).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (isInSpecialRange(address)) return false
  return address instanceof ipaddr.IPv4 || (address.match(PUBLIC_V6) && !isIsatap(address))
}

/** The lower half contains an IPv4 address to tunnel to (RFC 5214, section 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5e_fe && ((parts[4] ?? 0) & ~0x02_00) === 0
}

/**
 * Returns what is wrong with a webhook URL, as a message for its owner; null if nothing is, as far as can be told without
 * resolving names. At delivery, the address that is actually connected to is checked again.
 */
export function findWebhookUrlProblem(text: string, { allowPrivate, httpsOnly }: WebhookUrlPolicy): string | null {
  // A parser would leave out or escape them, and the webhook would go to another address than the one that was sent.
  if (/[\s\p{Cc}]/u.test(text)) return 'Must not contain spaces or line breaks.'
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Must be an http or https URL.'
  if (url.username || url.password) return 'Must not contain credentials.'
  if (httpsOnly && url.protocol !== 'https:') return 'Must be an https URL.'
  if (allowPrivate) return null
  if (url.port !== '' && BAD_PORTS.has(Number(url.port))) return 'Must not use the port of another service.'
  // Check the parsed host, not the text: parsing has turned 127.1, 2130706433 and 0x7f.1 into 127.0.0.1.
  const host = hostOf(url)
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : PRIVATE
  return isPublicName(host) ? null : PRIVATE
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').toLowerCase().split('.')
  if (host.length > MAX_NAME_LENGTH || labels.length < 2) return false
  if (labels.some(({ length }) => length === 0 || length > MAX_LABEL_LENGTH)) return false
  if (METADATA_NAMES.has(labels.join('.'))) return false
  return !LOCAL_NAMES.has(labels.at(-1) ?? '') && !LOCAL_NAMES.has(labels.slice(-2).join('.'))
}

/** Resolves a name to its addresses, at least one. Throws if there are none, or on a timeout. */
export type ResolveName = (name: string) => Promise<string[]>

/** Returns whether all addresses of a name are public. A connection may go to any of them. */
export const areAllPublic = (addresses: readonly string[]): boolean =>
  addresses.length > 0 && addresses.every(isPublicAddress)

/** Like `findWebhookUrlProblem`, but resolves names as well. */
export type CheckWebhookUrl = (url: string) => Promise<string | null>

/**
 * Creates the check of webhook URLs. A name that cannot be resolved now is not a problem: it may be resolvable when the
 * webhook is due, and its addresses are checked then.
 */
export const createWebhookUrlCheck =
  (policy: WebhookUrlPolicy, resolve: ResolveName): CheckWebhookUrl =>
  async (text) => {
    const problem = findWebhookUrlProblem(text, policy)
    if (problem !== null || policy.allowPrivate) return problem
    const host = hostOf(new URL(text))
    if (ipaddr.isValid(host)) return null
    const timeout = sleep(LOOKUP_TIMEOUT_MS, null, { ref: false })
    const addresses = await Promise.race([resolve(host).catch(() => null), timeout])
    return addresses === null || areAllPublic(addresses) ? null : PRIVATE
  }
