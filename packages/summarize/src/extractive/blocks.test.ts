import { jest } from '@jest/globals'
import { buildLines, sampleLines } from './blocks.ts'

test('samples transcripts of more than two million characters', () => {
  const newLines = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      startMs: i,
      endMs: i + 1,
      text: 'x'.repeat(300),
      isNewSpeaker: false,
      pauses: null,
    }))
  const sampled = sampleLines(newLines(7_000))
  expect(sampled.length).toBeLessThan(7_000)
  expect(sampled.length * 300).toBeGreaterThan(1_900_000)
  expect(sampled.at(-1)?.id).toBeGreaterThan(6_500)
  expect(sampleLines(newLines(6_000))).toHaveLength(6_000)
})

test('pauses between lines that have nothing to read, too', async () => {
  const cues = Array.from({ length: 50 }, (_, index) => ({ startMs: index * 1_000, durationMs: 900, text: '!?' }))
  const pace = jest.fn(async () => {})
  expect(await buildLines(cues, pace)).toEqual([])
  expect(pace).toHaveBeenCalledTimes(100)
})
