import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { findWebhookUrlProblem, isPublicAddress } from './address-guard.ts'

const GUARDED = { allowPrivate: false, httpsOnly: false }
const PRIVATE = 'Must not point to a private or special address.'

describe('isPublicAddress', () => {
  test.each([
    '',
    'example.org',
    '127.0.0.1:80',
    '[::1]',
    '1.2.3.4/8',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    '8.8.8.8\u0000',
  ])('refuses %j', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

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
    ['192.0.0/24', fc.tuple(fc.constant(192), fc.constant(0), fc.constant(0), octet)],
    ['192.0.2/24', fc.tuple(fc.constant(192), fc.constant(0), fc.constant(2), octet)],
    ['192.88.99/24', fc.tuple(fc.constant(192), fc.constant(88), fc.constant(99), octet)],
    ['198.51.100/24', fc.tuple(fc.constant(198), fc.constant(51), fc.constant(100), octet)],
    ['203.0.113/24', fc.tuple(fc.constant(203), fc.constant(0), fc.constant(113), octet)],
    ['224/3', fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet)],
  ]
  const hextets = (parts: number[]): string =>
    Buffer.from(parts)
      .toString('hex')
      .replace(/^(.{4})/, '$1:')
  test.each(bases)('refuses every address of %s in every spelling', (_, address) => {
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
        parts
          .map((part) => String.fromCodePoint(...[...String(part)].map((digit) => 0xff10 + Number(digit))))
          .join('\u3002'),
      (parts) => parts.map((part) => `0x${part.toString(16).padStart(8, '0').toUpperCase()}`).join('%2e'),
      (parts) => `${parts[0]}.${parts[1]}.${Buffer.from(parts).readUInt16BE(2)}`,
      (parts) => `[::ffff:${hextets(parts)}]`,
      (parts) => `[0:0:0:0:0:FFFF:${hextets(parts)}]`,
      (parts) => `[::ffff:0:${hextets(parts)}]`,
      (parts) => `[64:ff9b:1::${hextets(parts)}]`,
      (parts) => `[2001:0:${hextets(parts)}::1]`,
      (parts) => `[2606:4700::5efe:${hextets(parts)}]`,
      (parts) =>
        `[2002:${Buffer.from(parts)
          .toString('hex')
          .replace(/^(.{4})/, '$1:')}::1]`,
    )
    fc.assert(
      fc.property(address, spell, (parts, write) => {
        expect(findWebhookUrlProblem(`http://${write(parts)}/`, GUARDED)).toBe(PRIVATE)
      }),
      { numRuns: fuzzRuns(), seed: 20_261_121 },
    )
  })

  const word = fc.nat(0xffff)
  const words = (...first: fc.Arbitrary<number>[]) =>
    fc.tuple(...first, ...Array.from({ length: 8 - first.length }, () => word))
  const between = (min: number, max: number) => fc.integer({ min, max })
  const prefix = (text: string): fc.Arbitrary<number>[] =>
    text.split(':').map((part) => fc.constant(Number.parseInt(part, 16)))
  const ranges: [string, fc.Arbitrary<number[]>][] = [
    ['the space outside 2000::/3', words(fc.oneof(between(0, 0x1fff), between(0x4000, 0xffff)))],
    ['2001::/23', words(fc.constant(0x2001), between(0, 0x1ff))],
    ['2001:db8::/32', words(...prefix('2001:db8'))],
    ['2002::/16', words(fc.constant(0x2002))],
    ['2620:4f:8000::/48', words(...prefix('2620:4f:8000'))],
    ['3ffe::/16', words(fc.constant(0x3ffe))],
    ['3fff::/20', words(fc.constant(0x3fff), between(0, 0xfff))],
  ]
  test.each(ranges)('refuses every IPv6 address of %s in every spelling', (_, address) => {
    const hex = (part: number): string => part.toString(16)
    const write = fc.constantFrom<(parts: number[]) => string>(
      (parts) => parts.map(hex).join(':'),
      (parts) => parts.map((part) => hex(part).padStart(4, '0').toUpperCase()).join(':'),
      (parts) =>
        `${parts.slice(0, 6).map(hex).join(':')}:${parts
          .slice(6)
          .flatMap((part) => [part >> 8, part & 255])
          .join('.')}`,
    )
    fc.assert(
      fc.property(address, write, (parts, spell) => {
        // Mapped addresses are judged by the IPv4 address they contain; the test above covers them.
        fc.pre(!parts.slice(0, 6).every((part, place) => part === (place === 5 ? 0xffff : 0)))
        expect(findWebhookUrlProblem(`http://[${spell(parts)}]/`, GUARDED)).toBe(PRIVATE)
        expect(isPublicAddress(parts.map(hex).join(':'))).toBe(false)
      }),
      { numRuns: fuzzRuns(), seed: 20_261_121 },
    )
  })
})
