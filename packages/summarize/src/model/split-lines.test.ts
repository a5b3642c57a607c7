import { estimateTokens } from '@subtext/llm'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import type { PromptLine } from '../prompts/transcript-document.ts'
import { estimateLineTokens } from './estimate-tokens.ts'
import { splitLines } from './split-lines.ts'

const line = (id: number, overrides: Partial<PromptLine> = {}): PromptLine => ({
  id,
  text: `Line number ${id} says something.`,
  startMs: id * 4_000,
  chapters: [],
  ...overrides,
})
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(index + 1))
const sizeOf = (part: PromptLine[]) => part.reduce((sum, entry) => sum + estimateLineTokens(entry), 0)

test('splits lines into parts within the limit that hold all lines in order', () => {
  const anyLine = fc.record({ length: fc.nat(300), chapter: fc.boolean(), pause: fc.nat(20_000) })
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 120, max: 2_000 }),
      (shapes, max) => {
        let startMs = 0
        const all = shapes.map(({ length, chapter, pause }, index) => {
          startMs += pause
          return line(index + 1, { text: 'x'.repeat(length), chapters: chapter ? ['C'] : [], startMs })
        })
        const parts = splitLines(all, max)
        expect(parts.flatMap((part) => part.lines)).toEqual(all)
        for (const part of parts) {
          expect(part.lines.length).toBeGreaterThan(0)
          if (part.lines.length > 1) expect(sizeOf(part.lines)).toBeLessThanOrEqual(max)
        }
      },
    ),
    { numRuns: fuzzRuns(), seed: 20_261_121 },
  )
})

test('ends a part where a chapter ends, or else at the longest pause near its end', () => {
  const all = lines(300)
  const max = sizeOf(all) / 1.9
  const chaptered = all.map((entry) => (entry.id === 101 ? { ...entry, chapters: ['Two'] } : entry))
  expect(splitLines(chaptered, max)[1]?.lines[0]?.id).toBe(101)
  const paused = all.map((entry) => (entry.id >= 150 ? { ...entry, startMs: entry.startMs + 9_000 } : entry))
  const [, second] = splitLines(paused, max)
  expect(second?.lines[0]?.id).toBe(150)
  expect(second?.before).toContain('Line number 149 says something.')
})

test('keeps lines that fit in one part', () => {
  expect(splitLines(lines(3), 1_000)).toHaveLength(1)
})

test.each([
  ['English', 'Sound moves through sea water at about fifteen hundred meters per second.', 14],
  ['Chinese', '今天我们在家里烤一个简单的酸面包。', 17],
  ['Hindi', 'आज हम घर पर खमीर वाली एक आसान रोटी बनाएंगे।', 30],
])('estimates the tokens of %s text too high rather than too low', (_, text, atLeast) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(atLeast)
  expect(estimateTokens(text)).toBeLessThan(atLeast * 2.5)
})
