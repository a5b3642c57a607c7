import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'

export interface WebhookUrlPolicy {
  /** Addresses of this machine and of its networks are fine (development). */
  allowPrivate: boolean
  httpsOnly: boolean
}

const PRIVATE = 'Must not point to a private or special address.'
/** RFC 1035, section 2.3.4; of a name as it is typed, and of its parts. */
const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63

/** How long a caller waits for name servers. */
const LOOKUP_PATIENCE_MS = 1_500

const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

// Known as ordinary addresses to the library, as special ones to the IANA special-purpose address registries: AS112, AMT,
// IETF protocol assignments; and the test network that was given back (RFC 3701).
const FURTHER_SPECIAL = [
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '2001::/23',
  '2620:4f:8000::/48',
  '3ffe::/16',
].map((range) => ipaddr.parseCIDR(range))

// Names that belong to the network somebody is in: RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's `internal`, and those
// that home and office networks use.
const INNER_NAMES = new Set(['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'onion', 'home.arpa'])

// Where something listens that is not HTTP, yet might obey what an HTTP request says: the bad ports of the Fetch standard
// (https://fetch.spec.whatwg.org/#bad-port), and the usual ports of databases, caches and desktops.
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 445, 1433, 1521, 3306, 3389, 5432, 5900, 6379, 11_211,
  27_017,
])

/**
 * Whether an IP address is one of the public Internet. Everything that is not known to be public is not: private,
 * loopback, link-local, metadata, carrier, documentation, multicast and reserved ranges, addresses with a zone, and IPv4
 * addresses dressed as IPv6 (compatible, NAT64, 6to4, Teredo, ISATAP), but for mapped ones, which are what they stand for.
 * Ranges: IANA special-purpose address registries (RFC 6890).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (FURTHER_SPECIAL.some((range) => address.kind() === range[0].kind() && address.match(range))) return false
  return address instanceof ipaddr.IPv4 || (address.match(PUBLIC_V6) && !isIsatap(address))
}

/** The lower half names an IPv4 address to tunnel to (RFC 5214, section 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5e_fe && ((parts[4] ?? 0) & ~0x02_00) === 0
}

/**
 * The fault of a webhook URL, in words for its owner, as far as it can be told without looking up names; null when there
 * is none. The address that is connected to is checked again at delivery.
 */
export function findWebhookUrlProblem(text: string, { allowPrivate, httpsOnly }: WebhookUrlPolicy): string | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Must be an http or https URL.'
  if (url.username || url.password) return 'Must not carry credentials.'
  if (httpsOnly && url.protocol !== 'https:') return 'Must be an https URL.'
  if (allowPrivate) return null
  if (url.port !== '' && BAD_PORTS.has(Number(url.port))) return 'Must not use a port of another service.'
  // The parsed host is judged, not the text: it has turned 127.1, 2130706433 and 0x7f.1 into 127.0.0.1.
  const host = hostOf(url)
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : PRIVATE
  return isPublicName(host) ? null : PRIVATE
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').toLowerCase().split('.')
  if (host.length > MAX_NAME_LENGTH || labels.length < 2) return false
  if (labels.some(({ length }) => length === 0 || length > MAX_LABEL_LENGTH)) return false
  return !INNER_NAMES.has(labels.at(-1) ?? '') && !INNER_NAMES.has(labels.slice(-2).join('.'))
}

/** Finds the addresses of a name, at least one; throws when there is none, or none in time. */
export type ResolveName = (name: string) => Promise<string[]>

/** Whether a name stands for nothing but public addresses: a connection may go to any of them. */
export const areAllPublic = (addresses: readonly string[]): boolean =>
  addresses.length > 0 && addresses.every(isPublicAddress)

/** As `findWebhookUrlProblem`, names looked up. */
export type CheckWebhookUrl = (url: string) => Promise<string | null>

/**
 * A name that cannot be resolved now is no fault: it may be resolved when the webhook is due, and what it stands for then
 * is judged then.
 */
export const createWebhookUrlCheck =
  (policy: WebhookUrlPolicy, resolve: ResolveName): CheckWebhookUrl =>
  async (text) => {
    const fault = findWebhookUrlProblem(text, policy)
    if (fault !== null || policy.allowPrivate) return fault
    const host = hostOf(new URL(text))
    if (ipaddr.isValid(host)) return null
    const late = sleep(LOOKUP_PATIENCE_MS, null, { ref: false })
    const addresses = await Promise.race([resolve(host).catch(() => null), late])
    return addresses === null || areAllPublic(addresses) ? null : PRIVATE
  }
