import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

// Ranges that the library considers ordinary, although they do not contain public servers.
const RANGES: Range[] = [
  // IANA special-purpose address registries (RFC 6890): AS112, AMT and IETF protocol assignments.
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '2001::/23',
  '2620:4f:8000::/48',
  // The retired test network of RFC 3701.
  '3ffe::/16',
  // Platform services in public address space. They are reached from within the cloud only, and trust what comes from there.
  // Azure (WireServer): https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16/32',
  // Google (restricted and private access to its APIs): https://cloud.google.com/vpc/docs/configure-private-google-access-hybrid
  '199.36.153.4/30',
  '199.36.153.8/30',
  // IBM (service endpoints): https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
  '161.26.0.0/16',
  '166.8.0.0/14',
  // The metadata services of AWS, Google, Oracle, Alibaba, Tencent, DigitalOcean and others are in link-local, unique local,
  // shared and protocol-assignment ranges, none of which the library considers ordinary.
].map((range) => ipaddr.parseCIDR(range))

/** Returns whether an address is in a special range that the library does not know. */
export const isInSpecialRange = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  RANGES.some((range) => address.kind() === range[0].kind() && address.match(range))

/** Names of metadata services outside the domains that are local by their ending. */
export const METADATA_NAMES = new Set([
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
])
