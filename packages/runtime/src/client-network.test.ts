import { clientNetwork } from './client-network.ts'

describe('clientNetwork', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['203.0.113.7:4711', 'unknown'],
    ['key:1\r\nDEL', 'unknown'],
  ])('%s is counted as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })
})
