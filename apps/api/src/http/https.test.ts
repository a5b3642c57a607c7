import type { Socket } from 'node:net'
import { arrivedOverTls } from './https.ts'

const arrived = (hops: number, forwarded?: string, encrypted?: boolean): boolean =>
  arrivedOverTls(
    {
      socket: (encrypted ? { encrypted } : {}) as Socket,
      headers: forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded },
    },
    hops,
  )

describe('arrivedOverTls', () => {
  test.each<[number, string | undefined, boolean]>([
    [0, undefined, false],
    [0, 'https', false],
    [0, 'https, https', false],
    [1, undefined, false],
    [1, '', false],
    [1, 'https', true],
    [1, 'HTTPS', true],
    [1, 'http', false],
    [1, 'wss', false],
    [1, 'https, http', false],
    [1, 'https,https,http', false],
    [1, 'http, https', true],
    [1, 'https,', false],
    [2, 'https', true],
    [2, 'https, http', true],
    [2, 'http, https', false],
    [2, 'https, http, http', false],
    [2, 'http, https, http', true],
    [2, 'http', false],
  ])('behind %d trusted proxies with X-Forwarded-Proto %j returns %s', (hops, forwarded, expected) => {
    expect(arrived(hops, forwarded)).toBe(expected)
  })

  test('returns true for a TLS connection, whatever the headers say', () => {
    expect(arrived(0, undefined, true)).toBe(true)
    expect(arrived(1, 'http', true)).toBe(true)
  })
})
