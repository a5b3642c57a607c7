import {
  isSameLanguage,
  isSameTag,
  isWrittenAlike,
  oneNarrowsOther,
  satisfiesLanguage,
  scriptOf,
} from './language-tags.ts'

test.each([
  ['en', 'en-GB', true],
  ['pt', 'pt-BR', true],
  ['no', 'nb', true],
  ['nb-NO', 'no', true],
  ['no', 'nn', false],
  ['zh', 'zh-Hans', true],
  ['zh-CN', 'zh-Hans', true],
  ['zh-Hans', 'zh-Hant', false],
  ['zh', 'zh-TW', false],
  ['sr', 'sr-Latn', false],
  ['en', 'de', false],
  ['en', 'und', false],
  ['no_tag!', 'no_tag!', true],
  ['no_tag!', 'en', false],
])('isWrittenAlike(%s, %s) is %s', (one, other, alike) => {
  expect(isWrittenAlike(one, other)).toBe(alike)
  expect(isWrittenAlike(other, one)).toBe(alike)
})

test.each([
  ['en', 'en-US', true],
  ['EN-us', 'en-US', true],
  ['en-US', 'en', true],
  ['en-GB', 'en', false],
  ['en-GB', 'en-US', false],
  ['pt', 'pt-BR', true],
  ['pt-BR', 'pt', true],
  ['pt-PT', 'pt', false],
  ['pt-BR', 'pt-PT', false],
  ['de-DE', 'de', true],
  ['nb', 'no', true],
  ['no', 'nb-NO', true],
  ['nn', 'no', false],
  ['he', 'iw', true],
  ['zh-Hans', 'zh-Hant', false],
  ['zh', 'zh-Hant', false],
  ['zh-TW', 'zh-Hant', true],
  ['zh-HK', 'zh-Hant', false],
  ['es-419', 'es-MX', false],
  ['de', 'en', false],
  ['en', 'und', false],
  ['no_tag!', 'NO_TAG!', true],
  ['no_tag!', 'en', false],
])('satisfiesLanguage(%s, %s) is %s', (requested, given, same) => {
  expect(satisfiesLanguage(requested, given)).toBe(same)
})

test('compares tags, and finds one that adds detail to another, in any spelling', () => {
  expect(isSameTag('pt-br', 'pt-BR')).toBe(true)
  expect(isSameTag('pt', 'pt-BR')).toBe(false)
  expect(oneNarrowsOther('pt-br', 'pt')).toBe(true)
  expect(oneNarrowsOther('pt', 'pt-BR')).toBe(true)
  expect(oneNarrowsOther('pt-PT', 'pt-BR')).toBe(false)
  expect(oneNarrowsOther('pt', 'pta')).toBe(false)
})

test.each([
  ['zh-TW', 'zh-Hans', true],
  ['no', 'nb-NO', true],
  ['he', 'iw', true],
  ['pt', 'pta', false],
  ['en', 'und', false],
  ['no_tag!', 'NO_TAG!', true],
])('isSameLanguage(%s, %s) is %s', (one, other, same) => {
  expect(isSameLanguage(one, other)).toBe(same)
  expect(isSameLanguage(other, one)).toBe(same)
})

test('scriptOf returns the most likely script of a language', () => {
  expect(scriptOf('ru')).toBe('Cyrl')
  expect(scriptOf('zh-TW')).toBe('Hant')
  expect(scriptOf('no_tag!')).toBeNull()
})

test('compares tags alike, however many and however long ones it has seen', () => {
  const regions = Array.from({ length: 2_500 }, (_, nth) => `en-u-va-x${nth}`)
  for (const tag of [...regions, `en-${'u-va-abcdefgh-'.repeat(1_000)}x`]) expect(isSameTag(tag, 'en')).toBe(false)
  expect(isSameTag('EN-us', 'en-US')).toBe(true)
  expect(isSameLanguage('no', 'nb-NO')).toBe(true)
  expect(isSameTag('no_tag!', 'NO_TAG!')).toBe(true)
})
