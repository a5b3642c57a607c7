import type { Cue } from '@subtext/contracts'
import { createRecentCues } from './recent-cues.ts'

const UNREADABLE = { query: () => Promise.reject(new Error('read')) }
const newCues = (count: number, text = 'word'): Cue[] =>
  Array.from({ length: count }, (_, nth) => ({ startMs: nth * 1_000, durationMs: 1_000, text }))

test('cues that were kept are not read again', async () => {
  const recent = createRecentCues()
  const cues = newCues(3)
  recent.keep('a', cues)
  expect(await recent.read(UNREADABLE, { id: 'a', cueCount: 3 })).toBe(cues)
})

test('a transcript of which a result has only the first cues is read separately', async () => {
  const recent = createRecentCues()
  recent.keep('a', newCues(3))
  await expect(recent.read(UNREADABLE, { id: 'a', cueCount: 2 })).rejects.toThrow('read')
})

test.each([
  ['many cues', newCues(2_001)],
  ['long cues', newCues(100, 'x'.repeat(10_000))],
])('a transcript with %s is not kept', async (_, cues) => {
  const recent = createRecentCues()
  recent.keep('a', cues)
  await expect(recent.read(UNREADABLE, { id: 'a', cueCount: cues.length })).rejects.toThrow('read')
})
