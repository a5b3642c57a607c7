import type { Cue } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { findParts, measureDensity, measureDuration } from './timeline.ts'

const MINUTE = 60_000
const cue = (startMs: number, text = 'word', durationMs = 1_000): Cue => ({ startMs, durationMs, text })
const video = (chapters: { title: string; start: number }[] = []) => ({
  ...newVideoInfo('v'),
  chapters,
  duration_seconds: 600,
})
const section = (heading: string, ...segmentIds: number[]) => ({ heading, points: [{ text: heading, segmentIds }] })
const summary = (...sections: ReturnType<typeof section>[]) => ({ content: { overview: [], sections } })
const CUES = Array.from({ length: 100 }, (_, index) => cue(index * 6_000))

test('a video is at least as long as what is said in it', () => {
  expect(measureDuration(video(), [])).toBe(600_000)
  expect(measureDuration({ ...video(), duration_seconds: 0 }, [cue(5_000)])).toBe(6_000)
  expect(measureDuration({ ...video(), duration_seconds: 0 }, [])).toBe(1)
})

test('the density shows where more is said, and where nothing is', () => {
  const cues = CUES.map((one, index) => ({ ...one, text: index < 50 ? 'a few' : 'a lot of words in the same time' }))
  const density = measureDensity(cues, 10 * MINUTE)
  expect(density).toHaveLength(84)
  for (const value of density) expect(value).toBeGreaterThanOrEqual(0.12)
  for (const value of density) expect(value).toBeLessThanOrEqual(1)
  expect(Math.max(...density.slice(0, 40))).toBeLessThan(Math.min(...density.slice(44)))
  expect(new Set(measureDensity([], MINUTE)).size).toBe(1)
})

test('a cue that lasts for minutes is spread over them', () => {
  const density = measureDensity([cue(0, 'x'.repeat(840), 5 * MINUTE), cue(9 * MINUTE, 'y'.repeat(40))], 10 * MINUTE)
  expect(new Set(density.slice(0, 42)).size).toBe(1)
})

describe('the parts of a video', () => {
  const parts = (chapters: { title: string; start: number }[], ...summaries: ReturnType<typeof summary>[]) =>
    findParts(video(chapters), summaries, CUES, 10 * MINUTE)

  test('are its chapters, in order and from the beginning', () => {
    expect(
      parts(
        [
          { title: 'Two', start: 300 },
          { title: 'One', start: 10 },
        ],
        summary(section('A', 1), section('B', 50)),
      ),
    ).toEqual([
      { title: 'One', startMs: 0 },
      { title: 'Two', startMs: 300_000 },
    ])
  })

  test('are otherwise the sections of the first summary that follows the video', () => {
    const shuffled = summary(section('Late', 90), section('Early', 2))
    const detailed = summary(
      section('Start', 3),
      section('0:04:40 – 0:04:47', 20),
      section('Middle', 50, 40),
      section('End', 90),
    )
    expect(parts([], shuffled, detailed)).toEqual([
      { title: 'Start', startMs: 0 },
      { title: 'Middle', startMs: 234_000 },
      { title: 'End', startMs: 534_000 },
    ])
  })

  test.each([
    ['one chapter', [{ title: 'All', start: 0 }]],
    [
      'chapters without titles',
      [
        { title: ' ', start: 0 },
        { title: '', start: 200 },
      ],
    ],
    [
      'chapters behind its end',
      [
        { title: 'One', start: 0 },
        { title: 'Two', start: 5_000 },
      ],
    ],
    [
      'chapters in the same moment',
      [
        { title: 'One', start: 0 },
        { title: 'Two', start: 1 },
      ],
    ],
    [
      'more chapters than can be seen',
      Array.from({ length: 59 }, (_, index) => ({ title: `${index}`, start: index * 10 })),
    ],
  ])('are none with %s', (_, chapters) => {
    expect(parts(chapters)).toEqual([])
  })
})
