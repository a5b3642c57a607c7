import ipaddr from 'ipaddr.js'

const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is one of the public Internet. Everything that is not known to be public is not: private,
 * loopback, link-local, metadata, carrier, documentation, multicast and reserved ranges, and IPv4 addresses dressed as
 * IPv6 (mapped, NAT64, 6to4, Teredo). Ranges: IANA special-purpose address registries (RFC 6890).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.range() === 'unicast'
  return address.range() === 'unicast' && address.match(PUBLIC_V6)
}

/**
 * The fault of a webhook URL, in words for its owner, as far as it can be told without looking up names; null when there
 * is none. The address that is connected to is checked again at delivery.
 */
export function findWebhookUrlFault(text: string, allowPrivate: boolean): string | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Must be an http or https URL.'
  if (url.username || url.password) return 'Must not carry credentials.'
  if (allowPrivate) return null
  // The parsed host is judged, not the text: it has turned 127.1, 2130706433 and 0x7f.1 into 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : 'Must not point to a private or special address.'
  const name = host.toLowerCase().replace(/\.$/, '')
  if (!name.includes('.') || name.endsWith('.localhost') || name.endsWith('.local') || name.endsWith('.internal')) {
    return 'Must not point to a private or special address.'
  }
  return null
}
