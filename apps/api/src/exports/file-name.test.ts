import fc from 'fast-check'
import { nameFile } from './file-name.ts'

const name = (title: string, changes: { videoId?: string; isCaseVariant?: boolean } = {}): string =>
  nameFile({ title, videoId: 'dQw4w9WgXcQ', isCaseVariant: false, ...changes }, 'md')

test.each([
  ['Rivers & the sea', 'Rivers & the sea (dQw4w9WgXcQ).md'],
  ['AC/DC: "Live" <1>? | #1 [HD]', 'AC DC Live 1 1 HD (dQw4w9WgXcQ).md'],
  ['../../etc/passwd', 'etc passwd (dQw4w9WgXcQ).md'],
  ['...hidden', 'hidden (dQw4w9WgXcQ).md'],
  ['-rf ~', 'rf ~ (dQw4w9WgXcQ).md'],
  ['nul.txt', '_nul.txt (dQw4w9WgXcQ).md'],
  ['COM1 . x', '_COM1 . x (dQw4w9WgXcQ).md'],
  ['con', 'con (dQw4w9WgXcQ).md'],
  ['a\u202egpj.exe\u200f', 'agpj.exe (dQw4w9WgXcQ).md'],
  ['line\r\nbreak\u2028\u0000', 'line break (dQw4w9WgXcQ).md'],
  ['Cafe\u0301', 'Caf\u00e9 (dQw4w9WgXcQ).md'],
  [
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} می\u200cروم',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} می\u200cروم (dQw4w9WgXcQ).md',
  ],
  ['\u202e \u200b', 'Video (dQw4w9WgXcQ).md'],
  ['', 'Video (dQw4w9WgXcQ).md'],
])('the title %j gives the name %s', (title, expected) => {
  expect(name(title)).toBe(expected)
})

test('a long title is cut between characters', () => {
  const long = name('\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(100))
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(180)
  expect(long).toMatch(/^(?:\u{1f468}\u200d\u{1f469}\u200d\u{1f467})+ \(dQw4w9WgXcQ\)\.md$/u)
})

test('videos with IDs that differ only by case have names that differ without it', () => {
  const names = [name('T'), name('T', { videoId: 'DQW4W9WGXCQ', isCaseVariant: true })]
  expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(2)
})

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i

test('every name is one that every file system takes', () => {
  const words = fc.constantFrom(
    'con',
    'NUL',
    'com¹',
    '.',
    ' ',
    '/',
    '\\',
    '\u202e',
    '\u0000',
    '漢字',
    '😀',
    '\ud800',
    '-',
    ':',
    '~',
    '\ufeff',
    '\u2067',
  )
  const titles = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 200 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(titles, (title) => {
      const file = name(title)
      expect(file).toMatch(/^[^\s.~-].*\S \(dQw4w9WgXcQ\)\.md$|^[^\s.~-] \(dQw4w9WgXcQ\)\.md$/u)
      expect(file).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      expect(RESERVED.test(file.split('.')[0]?.trim() ?? '')).toBe(false)
      expect(file.isWellFormed()).toBe(true)
      expect(Buffer.byteLength(file)).toBeLessThanOrEqual(200)
    }),
    { numRuns: 2_000 },
  )
})
