import { createScriptCheck } from './script.ts'

test('checks a text against the script of its language, if the script is known', () => {
  expect(createScriptCheck('ru')('Пчёлы танцуют для Karl von Frisch.')).toBe(true)
  expect(createScriptCheck('ru')('Bees dance.')).toBe(false)
  expect(createScriptCheck('km')('Bees dance.')).toBe(true)
  expect(createScriptCheck('no_tag!')('Bees dance.')).toBe(true)
})
