import { InvalidCursorError, type PageLimits, pageOf } from './text-page.ts'

const limits = (maxChars: number, maxBytes = 1_000_000) => ({ maxChars, maxBytes })

const LINES = Array.from({ length: 5_000 }, (_, index) => `line ${index} 日本 😀\n`).join('')

test('returns a short text whole', () => {
  expect(pageOf('short', undefined, limits(1_000))).toEqual({ text: 'short' })
})

test.each([1_000, 1_001, 1_002, 1_003, 40_000])(
  'returns a long text in parts of up to %i characters that add up',
  (max) => {
    let whole = ''
    let cursor: string | undefined
    do {
      const page = pageOf(LINES, cursor, limits(max))
      expect(page.text.length).toBeLessThanOrEqual(max)
      expect(page.text.isWellFormed()).toBe(true)
      whole += page.text
      cursor = page.next_cursor
    } while (cursor)
    expect(whole).toBe(LINES)
  },
)

test('cuts a text without lines between characters', () => {
  const emoji = '😀'.repeat(2_000)
  const first = pageOf(emoji, undefined, limits(1_001))
  expect(first.text).toBe('😀'.repeat(500))
  expect(pageOf(emoji, first.next_cursor, limits(4_000)).text).toBe('😀'.repeat(1_500))
})

test.each(['', '5', 'c', 'c-1', 'c1e3', 'c99999999', 'c1; drop'])('refuses the cursor "%s"', (cursor) => {
  expect(() => pageOf('text', cursor, limits(1_000))).toThrow(InvalidCursorError)
})

/** Returns all pages of a text. */
function pagesOf(text: string, limit: PageLimits): string[] {
  const pages: string[] = []
  let cursor: string | undefined
  do {
    const page = pageOf(text, cursor, limit)
    pages.push(page.text)
    cursor = page.next_cursor
  } while (cursor)
  return pages
}

test.each([
  [
    'English',
    'The quick brown fox doesn’t jump over 3.14 lazy dogs, see https://example.org/a/very/long/path?with=query. ',
  ],
  ['Arabic', 'اللغة العربية من أكثر اللغات انتشارا في العالم. '],
  ['Hindi', 'हिन्दी भारत की राजभाषाओं में से एक है। '],
])('cuts a line of %s between words', (_, sentence) => {
  const text = sentence.repeat(500)
  for (const maxChars of [1_000, 1_003, 1_010, 1_019]) {
    const pages = pagesOf(text, limits(maxChars))
    expect(pages.join('')).toBe(text)
    for (const [index, page] of pages.entries()) {
      const border = page.slice(-1) + (pages[index + 1] ?? '').slice(0, 1)
      expect([page.length <= maxChars, border.includes(' ')]).toEqual([true, true])
    }
  }
})

test('cuts Japanese, which has no spaces, between words', () => {
  const text = '東京都は日本の首都である'.repeat(500)
  const whole = new Set(
    [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ index }) => index),
  )
  let end = 0
  for (const page of pagesOf(text, limits(1_001)).slice(0, -1)) {
    end += page.length
    expect(whole.has(end)).toBe(true)
  }
})

test.each([['日本語の文章です。'], ['Latin letters '], ['😀'], ['हिन्दी ']])(
  'limits the bytes of a page of %s',
  (piece) => {
    const text = piece.repeat(20_000)
    const pages = pagesOf(text, { maxChars: 40_000, maxBytes: 60_000 })
    expect(pages.join('')).toBe(text)
    for (const page of pages) {
      expect(page.length).toBeLessThanOrEqual(40_000)
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(60_000)
      expect(page.isWellFormed()).toBe(true)
    }
  },
)
