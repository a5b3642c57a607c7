import { randomBytes } from 'node:crypto'
import { buildInfographicUrl, type InfographicLink, isValidLink, linkEpoch } from './link.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const DAY_MS = 86_400_000
const link: InfographicLink = { jobId: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11', linkKey: randomBytes(32) }
const parametersOf = (url: string) => {
  const { searchParams } = new URL(url)
  return { expires: Number(searchParams.get('expires')), signature: searchParams.get('signature') ?? '' }
}
const parameters = parametersOf(buildInfographicUrl('https://api.example.org', link, NOW))
const at = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS)

test('a link is absolute and works for seven days, wherever in a day it was made', () => {
  expect(buildInfographicUrl('https://api.example.org', link, NOW)).toMatch(
    /^https:\/\/api\.example\.org\/api\/v1\/videos\/infographic\/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11\?expires=\d+&signature=[\w-]{43}$/,
  )
  for (const time of ['00:00:00.000', '12:34:56.789', '23:59:59.999']) {
    const made = new Date(`2026-11-22T${time}Z`)
    const given = parametersOf(buildInfographicUrl('https://api.example.org', link, made))
    expect(isValidLink(link, given, new Date(made.getTime() + 7 * DAY_MS))).toBe(true)
    expect(isValidLink(link, given, new Date(made.getTime() + 8 * DAY_MS))).toBe(false)
  }
})

test('all links of a day are the same, so that results can be cached', () => {
  const early = new Date('2026-11-22T00:00:00Z')
  expect(buildInfographicUrl('', link, early)).toBe(buildInfographicUrl('', link, NOW))
  expect(linkEpoch(early)).toBe(linkEpoch(NOW))
  expect(linkEpoch(at(1))).toBe(linkEpoch(NOW) + 86_400)
})

test.each<[string, InfographicLink, Partial<typeof parameters>]>([
  ['a later time', link, { expires: parameters.expires + 86_400 }],
  ['another job', { ...link, jobId: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e12' }, {}],
  ['another key', { ...link, linkKey: randomBytes(32) }, {}],
  ['a shorter signature', link, { signature: parameters.signature.slice(0, -2) }],
  ['a longer signature', link, { signature: `${parameters.signature}AA` }],
  ['no signature', link, { signature: '' }],
  ['a signature that is not base64', link, { signature: '%%%' }],
  ['a time that is not a number', link, { expires: Number.NaN }],
])('a link with %s is not valid', (_, given, changes) => {
  expect(isValidLink(link, parameters, NOW)).toBe(true)
  expect(isValidLink(given, { ...parameters, ...changes }, NOW)).toBe(false)
})
