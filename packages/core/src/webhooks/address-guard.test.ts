import fc from 'fast-check'
import { findWebhookUrlFault, isPublicAddress } from './address-guard.ts'

const PRIVATE = 'Must not point to a private or special address.'

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '0177.0x0.0.01',
  '127.0.0.1.',
  '127.0.0.01',
  '%31%32%37.0.0.1',
  '\uFF11\uFF12\uFF17.\uFF10.\uFF10.\uFF11',
  '\u2460\u2461\u2466.0.0.1',
  '127\u30020\u30020\u30021',
  '0',
  '0.0.0.0',
  '00.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
]

const SPECIAL = [
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '0xa000001',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '[::ffff:192.168.0.1]',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[fd00:ec2::254]',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '198.18.0.1',
  '198.19.255.255',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '0.1.2.3',
  '[fc00::1]',
  '[fdff:ffff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[4000::1]',
  '[::8.8.8.8]',
]

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'api.localhost.',
  'intranet',
  'router.',
  'printer.local',
  'metadata.google.internal',
  'METADATA.GOOGLE.INTERNAL.',
  'l\u24DEcalhost',
]

describe('findWebhookUrlFault', () => {
  test.each(LOOPBACK_SPELLINGS)('the loopback as %s', (host) => {
    expect(findWebhookUrlFault(`http://${host}/hook`, false)).toBe(PRIVATE)
    expect(findWebhookUrlFault(`https://${host}:8443/hook`, false)).toBe(PRIVATE)
  })

  test.each(SPECIAL)('the special address %s', (host) => {
    expect(findWebhookUrlFault(`http://${host}/hook`, false)).toBe(PRIVATE)
  })

  test.each(NAMES)('the inner name %s', (host) => {
    expect(findWebhookUrlFault(`https://${host}/hook`, false)).toBe(PRIVATE)
  })

  test.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.org/',
    'example.org/hook',
    '//example.org/hook',
    '',
    'http://',
    'http://[::1',
    'http://127.0.0.1.5.6.7:99999/',
    'http://256.1.1.1/',
  ])('%j is no http URL', (url) => {
    expect(findWebhookUrlFault(url, true)).toMatch(/^Must be an http/)
  })

  test.each(['https://user:pass@example.org/', 'https://user@example.org/', 'https://:pass@example.org/'])(
    '%s carries credentials, allowed or not',
    (url) => {
      expect(findWebhookUrlFault(url, false)).toMatch(/credentials/)
      expect(findWebhookUrlFault(url, true)).toMatch(/credentials/)
    },
  )

  test.each([
    'https://example.org/hook?x=1',
    'http://example.org:8080/',
    'https://xn--bcher-kva.example/',
    'https://b\u00FCcher.example/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://localhost.example.org/',
    'https://internal.example.org/',
    'https://127.0.0.1.example.org/',
  ])('%s is fine', (url) => {
    expect(findWebhookUrlFault(url, false)).toBeNull()
  })

  test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/'])('development may use %s', (url) => {
    expect(findWebhookUrlFault(url, true)).toBeNull()
  })
})

describe('isPublicAddress', () => {
  test.each(['', 'example.org', '127.0.0.1:80', '[::1]', '1.2.3.4/8', 'fe80::1%eth0', '8.8.8.8\u0000'])(
    '%j is none',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )

  const octet = fc.nat(255)
  const bases: [string, fc.Arbitrary<number[]>][] = [
    ['0/8', fc.tuple(fc.constant(0), octet, octet, octet)],
    ['10/8', fc.tuple(fc.constant(10), octet, octet, octet)],
    ['100.64/10', fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet)],
    ['127/8', fc.tuple(fc.constant(127), octet, octet, octet)],
    ['169.254/16', fc.tuple(fc.constant(169), fc.constant(254), octet, octet)],
    ['172.16/12', fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet)],
    ['192.168/16', fc.tuple(fc.constant(192), fc.constant(168), octet, octet)],
    ['198.18/15', fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), octet, octet)],
    ['224/3', fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet)],
  ]
  test.each(bases)('no address of %s, in whatever spelling', (_, address) => {
    const spell = fc.constantFrom<(parts: number[]) => string>(
      (parts) => parts.join('.'),
      (parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
      (parts) => parts.map((part) => `0x${part.toString(16)}`).join('.'),
      (parts) => String(Buffer.from(parts).readUInt32BE()),
      (parts) => `0x${Buffer.from(parts).toString('hex')}`,
      (parts) => `${parts[0]}.${Buffer.from([0, ...parts.slice(1)]).readUInt32BE()}`,
      (parts) => `${parts.join('.')}.`,
      (parts) => `[::ffff:${parts.join('.')}]`,
      (parts) => `[64:ff9b::${parts.join('.')}]`,
      (parts) => `[::${parts.join('.')}]`,
      (parts) =>
        `[2002:${Buffer.from(parts)
          .toString('hex')
          .replace(/^(.{4})/, '$1:')}::1]`,
    )
    fc.assert(
      fc.property(address, spell, (parts, write) => {
        expect(findWebhookUrlFault(`http://${write(parts)}/`, false)).toBe(PRIVATE)
      }),
      { numRuns: 200, seed: 20_261_121 },
    )
  })
})
