import ipaddr from 'ipaddr.js'

/** Hosts of an IPv6 network choose the other half of their address at will (RFC 4291, 2.5.1). */
const IPV6_NETWORK_BITS = 64

/** Returns whether an address belongs to no special range, such as that of a private network or of this machine. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

/**
 * Returns the network by which clients without a key are distinguished: an IPv4 address, even if it is written as an IPv6
 * one, or the /64 network of an IPv6 address. Returns `unknown` for anything else.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`)}/${IPV6_NETWORK_BITS}`
}
