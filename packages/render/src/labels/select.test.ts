import { SUMMARY_MODES } from '@subtext/contracts'
import { findLabels, selectLabels } from './select.ts'

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ja', 'ko', 'zh', 'zh-Hant', 'hi', 'ar']

test.each([
  ['pt-BR', 'pt'],
  ['de-AT', 'de'],
  ['zh-Hans', 'zh'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['yue', 'zh-Hant'],
  ['cmn', 'zh'],
  ['EN-gb', 'en'],
])('labels %s like %s', (tag, language) => {
  expect(findLabels(tag)).toBe(findLabels(language))
})

test.each(['sv', 'und', '', 'not a tag', '"><script>', 'constructor', '__proto__'])(
  'has no labels in %j, and falls back to English',
  (tag) => {
    expect(findLabels(tag)).toBeNull()
    expect(selectLabels(tag)).toBe(findLabels('en'))
  },
)

const SHARED = new Set(['videos', 'colon', 'brackets', 'address', 'video', 'transcript', 'questions'])

test.each(LANGUAGES.filter((language) => language !== 'en'))('translates every label to %s', (language) => {
  const [labels, english] = [selectLabels(language), selectLabels('en')]
  for (const [name, label] of Object.entries(labels)) {
    if (!SHARED.has(name)) expect([name, label]).not.toEqual([name, english[name as keyof typeof english]])
  }
  expect(Object.keys(labels.modes)).toEqual(Object.keys(english.modes))
  expect(labels.writtenBy).toContain('{model}')
})

test.each(LANGUAGES)('names no two headings of a document in %s alike', (language) => {
  const { modes, contents, summary, chapters, transcript } = selectLabels(language)
  const headings = [contents, summary, chapters, transcript, ...SUMMARY_MODES.map((mode) => modes[mode])]
  expect(new Set(headings).size).toBe(headings.length)
})
