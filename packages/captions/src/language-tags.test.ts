import { isLanguageAsked, isSameTag, isWrittenAlike, oneNarrowsOther, scriptOf } from './language-tags.ts'

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
])('%s and %s are written alike: %s', (one, other, alike) => {
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
])('who asks for %s has it in %s: %s', (asked, given, same) => {
  expect(isLanguageAsked(asked, given)).toBe(same)
})

test('tags are the same or say more, however they are spelt', () => {
  expect(isSameTag('pt-br', 'pt-BR')).toBe(true)
  expect(isSameTag('pt', 'pt-BR')).toBe(false)
  expect(oneNarrowsOther('pt-br', 'pt')).toBe(true)
  expect(oneNarrowsOther('pt', 'pt-BR')).toBe(true)
  expect(oneNarrowsOther('pt-PT', 'pt-BR')).toBe(false)
  expect(oneNarrowsOther('pt', 'pta')).toBe(false)
})

test('a language has the script most write it in', () => {
  expect(scriptOf('ru')).toBe('Cyrl')
  expect(scriptOf('zh-TW')).toBe('Hant')
  expect(scriptOf('no_tag!')).toBeNull()
})
