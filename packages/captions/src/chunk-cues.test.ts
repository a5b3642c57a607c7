import type { Cue } from '@subtext/contracts'
import { chunkCues } from './chunk-cues.ts'

test('chunks of cues stay below both limits and together hold all cues', () => {
  const cue = (length: number): Cue => ({ startMs: 0, durationMs: 1, text: 'x'.repeat(length) })
  const many = Array.from({ length: 2_500 }, () => cue(3))
  expect([...chunkCues(many)].map((chunk) => chunk.length)).toEqual([1_000, 1_000, 500])
  expect([...chunkCues(Array.from({ length: 7 }, () => cue(200_000)))].map((chunk) => chunk.length)).toEqual([3, 3, 1])
  expect([...chunkCues(many)].flat()).toEqual(many)
  expect([...chunkCues([])]).toEqual([])
})
