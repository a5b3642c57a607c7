import { isSampleVideoId } from './sample-id.ts'
import type { SampleVideo } from './sample-video.ts'
import { findSampleVideo, SAMPLE_TALKS, SAMPLES } from './samples.ts'
import { alignLines } from './talk.ts'

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
  expect(SAMPLES.map((sample) => sample.language)).toEqual(expect.arrayContaining(['en', 'es', 'fr', 'de', 'pt-BR']))
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

describe('SAMPLES', () => {
  test('lists videos of the sample platform only, each once and by its own ID', () => {
    const ids = SAMPLES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect([id, /^[\w-]{11}$/.test(id), isSampleVideoId(id)]).toEqual([id, true, true])
    expect(ids.filter((id) => !findSampleVideo(id))).toEqual(['sbtx-x-none'])
  })

  test('says of every sample what it shows', () => {
    for (const { title, language, shows } of SAMPLES) {
      expect(title.length).toBeGreaterThan(3)
      expect(Intl.getCanonicalLocales(language)).toEqual([language])
      expect(shows).toMatch(/^[A-Z0-9].{3,}$/)
    }
  })
})
