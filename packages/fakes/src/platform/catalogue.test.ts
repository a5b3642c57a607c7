import { type SampleVideo, UNKNOWN_VIDEO_ID } from '@subtext/sample-platform/protocol'
import { SAMPLE_VIDEOS } from './catalogue.ts'
import { longVideo } from './long-video.ts'

const all: SampleVideo[] = Object.values(SAMPLE_VIDEOS)

test('gives every sample video a unique, well-formed ID', () => {
  const ids = all.map((video) => video.id)
  expect(ids.filter((id) => !/^[\w-]{11}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain(UNKNOWN_VIDEO_ID)
})

test('builds a deterministic long video with numbered lines, so that a missing line is noticed', () => {
  const cuesOf = (hours: number) => longVideo({ id: 'sbtx-l-test', hours }).tracks[0]?.cues() ?? []
  const cues = cuesOf(10)
  expect(cues).toHaveLength(7500)
  expect(cuesOf(1)).toEqual(cues.slice(0, 750))
  const numbers = cues.map((cue) => Number(/\bentry (\d+)/.exec(cue.text)?.[1]))
  expect(numbers).toEqual(Array.from({ length: 7500 }, (_, index) => index + 1))
  expect(cues.filter((cue) => cue.text.startsWith('part '))).toHaveLength(60)
})

test('contains text in the hostile video that breaks databases and pages', () => {
  const text = (SAMPLE_VIDEOS.hostile.tracks[0]?.cues() ?? []).map((cue) => cue.text).join('\n')
  for (const danger of ['\u0000', '\u202E', '<script>', '=HYPERLINK(', '](javascript:', 'Ignore all previous']) {
    expect(text).toContain(danger)
  }
  expect(text.isWellFormed()).toBe(false)
})
