import { cleanLine, cleanParagraphs } from './foreign-text.ts'

describe('cleanParagraphs', () => {
  test.each([
    ['controls', 'a\u0000b\u0007c\u001bd\u0090e', 'abcde'],
    ['bidirectional overrides', 'pay \u202Eevil\u202C \u2066x\u2069', 'pay evil x'],
    ['zero-width characters', '\uFEFFzero\u200Bwidth\u2060', 'zerowidth'],
    ['tag characters', `hi${String.fromCodePoint(0xe0041, 0xe0042)}`, 'hi'],
    ['half of a surrogate pair', 'a\uD83Db', 'a\uFFFDb'],
    ['line breaks of every kind', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
    ['a joiner between Latin letters', 'he\u200Dllo wo\u200Crld', 'hello world'],
  ])('removes or repairs %s', (_, text, expected) => {
    expect(cleanParagraphs(text, 100)).toBe(expected)
  })

  test.each([
    ['emoji sequences', '👩‍💻 👨‍👩‍👧 ❤️‍🔥'],
    ['Persian spelling', 'می‌خواهم'],
    ['Hindi spelling', 'क्‍ष'],
    ['nine scripts', 'English Español Français Deutsch Português 日本語 한국어 中文 हिन्दी'],
  ])('keeps %s', (_, text) => {
    expect(cleanParagraphs(text, 100)).toBe(text)
  })

  test('cuts at the limit without splitting a character', () => {
    expect(cleanParagraphs('ab😀cd', 3)).toBe('ab')
    expect(cleanParagraphs('ab😀cd', 4)).toBe('ab😀')
  })
})

test('cleanLine returns one line with single spaces', () => {
  expect(cleanLine('  a\n\n b\t c\u00A0d \u200B', 100)).toBe('a b c d')
  expect(cleanLine('word word', 5)).toBe('word')
})

test.each([
  ['two\r\nlines\u2028and\u0085more', 'two lines and more'],
  ['a\u202Eb\u2066c\u200Ed', 'abcd'],
  ['zero\u200Bwidth\uFEFF\u2060', 'zerowidth'],
  ['tag\u{E0069}\u{E0067}\u{E006E} vs\u{E0100}', 'tag vs'],
  ['bell\u0007 \u001B[31mred', 'bell [31mred'],
  ['👩\u200D👩\u200D👧 नि\u200Dष्ठा', '👩\u200D👩\u200D👧 नि\u200Dष्ठा'],
  ['lone \uDC00', 'lone \uFFFD'],
  ['  a\u00A0  b ', 'a b'],
])('cleanLine turns %j into %j', (text, line) => {
  expect(cleanLine(text)).toBe(line)
})
