import { jest } from '@jest/globals'
import { createStatementCheck } from './check-statement.ts'

const BEGINNING = 'the tea comes from the valley '
const IDS = Array.from({ length: 12 }, (_, index) => 3 + 6 * index)
const QUOTES = IDS.map(() => BEGINNING.trim())

/** Checks a statement, and returns how many letters were folded for it. */
function countFolded(text: string, { language, filler }: { language: string; filler: string }): number {
  const cues = Array.from({ length: 80 }, (_, index) => ({
    startMs: index * 1_000,
    durationMs: 900,
    text: `${BEGINNING}${filler}`,
  }))
  const normalize = jest.spyOn(String.prototype, 'normalize')
  const detect = () => language
  const options = { cues, published: [], trackLanguage: 'en', language, detect, isLeak: () => false }
  createStatementCheck(options)({ text, segmentIds: IDS, quotes: QUOTES })
  const folded = normalize.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
  normalize.mockRestore()
  return folded
}

const PHRASES = '\ufdfa'.repeat(9_500)
const WORDS = 'word '.repeat(1_900)
const ENGLISH = 'The tea comes from the valley at 7:30.'
const GERMAN = 'Der Tee kostet 5 Euro.'

test.each([
  ['words', WORDS, 'en', ENGLISH, 1e6],
  ['letters that stand for phrases', PHRASES, 'en', ENGLISH, 3e6],
  ['words, in another language', WORDS, 'de', GERMAN, 2e6],
  ['letters that stand for phrases, in another language', PHRASES, 'de', GERMAN, 3e6],
])('reads long segments of %s only in part', (_, filler, language, text, most) => {
  expect(countFolded(text, { language, filler })).toBeLessThan(most)
})
