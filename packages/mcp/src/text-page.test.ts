import { InvalidCursorError, pageOf } from './text-page.ts'

const LINES = Array.from({ length: 5_000 }, (_, index) => `line ${index} 日本 😀\n`).join('')

test('returns a short text whole', () => {
  expect(pageOf('short', undefined, 1_000)).toEqual({ text: 'short' })
})

test.each([1_000, 1_001, 1_002, 1_003, 40_000])(
  'returns a long text in parts of up to %i characters that add up',
  (max) => {
    let whole = ''
    let cursor: string | undefined
    do {
      const page = pageOf(LINES, cursor, max)
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
  const first = pageOf(emoji, undefined, 1_001)
  expect(first.text).toBe('😀'.repeat(500))
  expect(pageOf(emoji, first.next_cursor, 4_000).text).toBe('😀'.repeat(1_500))
})

test.each(['', '5', 'c', 'c-1', 'c1e3', 'c99999999', 'c1; drop'])('refuses the cursor "%s"', (cursor) => {
  expect(() => pageOf('text', cursor, 1_000)).toThrow(InvalidCursorError)
})
