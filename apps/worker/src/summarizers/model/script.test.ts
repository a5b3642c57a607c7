import { createScriptCheck, isWrittenAlike } from './script.ts'

test.each([
  ['en', 'en-GB', true],
  ['pt', 'pt-BR', true],
  ['zh', 'zh-Hans', true],
  ['zh-CN', 'zh-Hans', true],
  ['zh-Hans', 'zh-Hant', false],
  ['zh', 'zh-TW', false],
  ['sr', 'sr-Latn', false],
  ['en', 'de', false],
  ['no_tag!', 'no_tag!', true],
])('%s and %s are written alike: %s', (one, other, alike) => {
  expect(isWrittenAlike(one, other)).toBe(alike)
})

test('a text is held against the script of its language, where we know it', () => {
  expect(createScriptCheck('ru')('Пчёлы танцуют для Karl von Frisch.')).toBe(true)
  expect(createScriptCheck('ru')('Bees dance.')).toBe(false)
  expect(createScriptCheck('km')('Bees dance.')).toBe(true)
  expect(createScriptCheck('no_tag!')('Bees dance.')).toBe(true)
})
