import { jest } from '@jest/globals'
import type { Cue } from '@subtext/contracts'
import { createAmountFinder } from '@subtext/evidence'
import { listNumberLines } from './notes.ts'

const cuesWith = (texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 1_000, durationMs: 900, text }))

afterEach(() => jest.restoreAllMocks())

test('lists lines that name numbers, each with the next one', async () => {
  const cues = cuesWith(['one of them', 'about fifty', 'two of them', 'and no more', 'at 7:30'])
  expect(await listNumberLines(cues, 'en', async () => {})).toEqual([
    { text: 'about fifty two of them', segmentIds: [2] },
    { text: 'two of them and no more', segmentIds: [3] },
    { text: 'at 7:30', segmentIds: [5] },
  ])
})

test('pauses before it reads each line', async () => {
  const normalize = jest.spyOn(String.prototype, 'normalize')
  const read = (): number => normalize.mock.contexts.filter((text) => `${text}` === LINE).length
  const steps: number[] = []
  await listNumberLines(cuesWith(Array.from({ length: 50 }, () => LINE)), 'en', async () => void steps.push(read()))
  expect(steps).toEqual(Array.from({ length: 50 }, (_, index) => index))
})

const LINE = 'a@'.repeat(100)

test.each(['a@', 'and ', 'hundred ', '7 ', '- '])('folds each word of %j once', (word) => {
  const findAmounts = createAmountFinder('en')
  const normalize = jest.spyOn(String.prototype, 'normalize')
  findAmounts(word.repeat(1_000))
  expect(normalize.mock.calls.length).toBeLessThanOrEqual(1_010)
})
