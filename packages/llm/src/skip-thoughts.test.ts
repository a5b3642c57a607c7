import { measureGrowth } from '@subtext/runtime/testing'
import { createThoughtFilter, skipThoughts } from './skip-thoughts.ts'

const stream = (text: string, size: number): string => {
  let passed = ''
  const push = createThoughtFilter((piece) => {
    passed += piece
  })
  for (let start = 0; start < text.length; start += size) push(text.slice(start, start + size))
  return passed
}

test.each([
  ['no thoughts', 'The answer. [1]', 'The answer. [1]'],
  ['thoughts', '<think>\nHm. [2]\n</think>\n\nThe answer. [1]', 'The answer. [1]'],
  ['thoughts under another name', '\n<reasoning>Hm.</reasoning>The answer.', 'The answer.'],
  ['thoughts that never end', '<think>Hm. The answer.', ''],
  ['less than a mark', '<b>x', '<b>x'],
  ['a comparison', '3 < 4', '3 < 4'],
])('passes on %s, in pieces of any size', (_, text, answer) => {
  expect(skipThoughts(text)).toBe(answer)
  for (const size of [1, 2, 5, 7, 100]) expect(stream(text, size)).toBe(answer)
})

test('skips thoughts whose beginning the server has stripped, once the answer is complete', () => {
  expect(skipThoughts('Hm. {"a":1}\n</think>\n{"b":2}')).toBe('{"b":2}')
})

test('takes linear time for long thoughts', async () => {
  const run = (size: number) => {
    stream(`<think>${'x '.repeat(size)}`, 50)
    skipThoughts('</think> '.repeat(size))
  }
  expect(await measureGrowth(run, { small: 5_000, large: 80_000 })).toBeLessThan(5)
})
