import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const toCharacter = (index: number): string =>
  String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count)

function toIndex(text: unknown): number {
  const code = String(text).codePointAt(0) ?? 0
  const index = code < SURROGATES.first ? code : code - SURROGATES.count
  if (toCharacter(index) !== text) throw new Error('This is not one character.')
  return index
}

/**
 * Any character, as the `unit` of a string. Generates what `unit: 'binary'` does, for which fast-check fills a map with a
 * million characters: a second of CPU time in each process, and memory that the garbage collector visits again and again.
 */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES.count).map(toCharacter, toIndex)

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const PLAIN_IN_URL = [...LETTERS, ...LETTERS.map((letter) => letter.toUpperCase()), ..."0123456789-._~!$&'()*+,;=:@"]

const partOf = (...plain: string[]): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(...plain) },
      { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
    ),
  })
const path = fc
  .array(partOf(...PLAIN_IN_URL), { size: '-1' })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''))
const query = partOf(...PLAIN_IN_URL, '/', '?')

/** Any URL with one of these schemes, as `fc.webUrl` generates them, but without its map of all characters. */
export const anyWebUrl = (...schemes: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...schemes),
      fc.webAuthority(),
      path,
      fc.option(
        query.map((text) => `?${text}`),
        { nil: '' },
      ),
      fc.option(
        query.map((text) => `#${text}`),
        { nil: '' },
      ),
    )
    .map(([scheme, ...parts]) => `${scheme}://${parts.join('')}`)
