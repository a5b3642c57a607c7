import { measureTranslations, newCounts } from './testing/measure-claims.ts'
import { TRANSLATIONS } from './testing/translations.ts'

const LANGUAGES = Object.keys(TRANSLATIONS)
const PAIRS = LANGUAGES.flatMap((lines) => LANGUAGES.flatMap((claim) => (lines === claim ? [] : [[lines, claim]])))

test.each(PAIRS)('shows true claims about lines in %s that are in %s, and none with another number', (lines, claim) => {
  const counts = newCounts()
  const textOf = (language = '') => ({ language, sentences: TRANSLATIONS[language] ?? [], names: [] })
  measureTranslations(textOf(lines), textOf(claim), counts)
  expect(counts.number.checked).toBeGreaterThan(5)
  expect(counts.number.wrong).toEqual([])
  expect(counts.true.wrong).toEqual([])
})
