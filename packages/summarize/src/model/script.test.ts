import { createScriptCheck } from './script.ts'

test('a text is held against the script of its language, where we know it', () => {
  expect(createScriptCheck('ru')('Пчёлы танцуют для Karl von Frisch.')).toBe(true)
  expect(createScriptCheck('ru')('Bees dance.')).toBe(false)
  expect(createScriptCheck('km')('Bees dance.')).toBe(true)
  expect(createScriptCheck('no_tag!')('Bees dance.')).toBe(true)
})
