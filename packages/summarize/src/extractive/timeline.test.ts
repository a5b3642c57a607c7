import type { Cue } from '@subtext/contracts'
import { newSource } from '../testing/source.ts'
import { contentOf } from '../testing/summarize-all.ts'

const cuesOfTexts = (texts: string[], stepMs: number): Cue[] =>
  texts.map((text, i) => ({ startMs: i * stepMs, durationMs: stepMs, text }))

test('begins the timeline with the first line, and leaves ten seconds between its moments', async () => {
  const texts = Array.from(
    { length: 300 },
    (_, i) => `Sentence number ${i} tells about topic ${i % 37} and item ${i % 11}.`,
  )
  const cues = cuesOfTexts(texts, 3_000)
  const { sections } = await contentOf(newSource(cues), 'timestamped')
  const times = sections[0]?.points.map((point) => cues[(point.segmentIds[0] ?? 1) - 1]?.startMs ?? 0) ?? []
  expect(times[0]).toBe(0)
  expect(times.length).toBeGreaterThanOrEqual(3)
  for (const [i, time] of times.slice(1).entries()) expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(10_000)
})

test('spreads the timeline over the whole length', async () => {
  const cues = cuesOfTexts(
    Array.from({ length: 600 }, (_, i) => `Sentence number ${i} tells about topic ${i % 37} and item ${i % 11}.`),
    6_000,
  )
  const { sections } = await contentOf(newSource(cues), 'timestamped')
  const times = sections[0]?.points.map((point) => cues[(point.segmentIds[0] ?? 1) - 1]?.startMs ?? 0) ?? []
  expect(times.length).toBeGreaterThan(12)
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(600_000)
  expect(times[0]).toBeLessThan(300_000)
  expect(times.at(-1)).toBeGreaterThan(3_300_000)
})
