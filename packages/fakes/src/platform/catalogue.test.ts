import { SAMPLE_TALKS, SAMPLE_VIDEOS, UNKNOWN_VIDEO_ID } from './catalogue.ts'
import { longVideo } from './long-video.ts'
import type { SampleVideo } from './sample-video.ts'
import { alignLines } from './talk.ts'

const all: SampleVideo[] = Object.values(SAMPLE_VIDEOS)

test('gives every sample video a unique, well-formed id', () => {
  const ids = all.map((video) => video.id)
  expect(ids.filter((id) => !/^[\w-]{11}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain(UNKNOWN_VIDEO_ID)
})

test.each(Object.entries(SAMPLE_TALKS))('times the %s talk like a talk, without overlaps', (_, video: SampleVideo) => {
  expect(video.lengthSeconds).toBeGreaterThanOrEqual(180)
  expect(video.lengthSeconds).toBeLessThanOrEqual(360)
  for (const track of video.tracks) {
    const cues = track.cues()
    expect(cues.length).toBeGreaterThanOrEqual(40)
    expect(cues.length).toBeLessThanOrEqual(70)
    cues.forEach((cue, index) => {
      const next = cues[index + 1]?.startMs ?? video.lengthSeconds * 1000
      expect(cue.startMs + cue.durationMs).toBeLessThanOrEqual(next)
    })
  }
})

test('writes the talk of every supported language in its own script', () => {
  const firstLine = (video: SampleVideo) => video.tracks[0]?.cues()[0]?.text ?? ''
  expect(firstLine(SAMPLE_TALKS.japanese)).toMatch(/\p{Script=Hiragana}/u)
  expect(firstLine(SAMPLE_TALKS.korean)).toMatch(/\p{Script=Hangul}/u)
  expect(firstLine(SAMPLE_TALKS.chinese)).toMatch(/\p{Script=Han}/u)
  expect(firstLine(SAMPLE_TALKS.hindi)).toMatch(/\p{Script=Devanagari}/u)
  expect(all.map((video) => video.language)).toEqual(expect.arrayContaining(['en', 'es', 'fr', 'de', 'pt-BR']))
})

test('lists chapters in the description from the start, in order', () => {
  const lines = SAMPLE_TALKS.english.description.split('\n').filter((line) => /^\d+:\d\d /.test(line))
  const seconds = lines.map((line) => {
    const [minute = '', second = ''] = line.slice(0, 4).split(':')
    return Number(minute) * 60 + Number(second)
  })
  expect(seconds).toHaveLength(7)
  expect(seconds[0]).toBe(0)
  expect([...seconds].sort((a, b) => a - b)).toEqual(seconds)
})

test('changes only the spelling between variants of a language', () => {
  const [american, , british] = SAMPLE_TALKS.english.tracks
  const differing = british?.cues().filter((cue, index) => cue.text !== american?.cues()[index]?.text) ?? []
  expect(differing.map((cue) => cue.text)).toEqual([
    expect.stringContaining('colour of the ground'),
    expect.stringContaining('metres per second'),
    expect.stringContaining('three thousand metres'),
    expect.stringContaining('sixty-five thousand kilometres'),
  ])
})

test('refuses a translation that lacks lines', () => {
  expect(() => alignLines([{ startMs: 0, durationMs: 1, text: 'a' }], [])).toThrow(RangeError)
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
