import { readRecordings } from '@subtext/captions/testing'
import { cleanCues } from './cleaning/clean-cues.ts'
import { parseTimedText } from './formats/timed-text.ts'
import { parseVtt } from './formats/vtt.ts'

const readLecture = (folder: string): string =>
  readRecordings(folder).find(({ name }) => name.includes('80min_lecture'))?.text ?? ''
const lecture = readLecture('captions/vtt')
const testLecture = lecture ? test : test.skip

const wordsOf = (texts: string[]): string[] =>
  texts
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)

// Looked up once: in the sandbox of a test, accessing a global costs more than the rest of the loop below.
const { min } = Math

/** Returns the words to change, add or remove (Levenshtein distance) as a share of the words that were said. */
const wordError = (said: string[], heard: string[]): number => {
  const numbers = new Map<string, number>()
  const numberOf = (word: string): number => numbers.set(word, numbers.get(word) ?? numbers.size).get(word) ?? -1
  const [spoken, noted] = [Int32Array.from(said, numberOf), Int32Array.from(heard, numberOf)]
  let row = Int32Array.from({ length: noted.length + 1 }, (_, index) => index)
  let next = new Int32Array(row.length)
  for (let index = 0; index < spoken.length; index++) {
    next[0] = index + 1
    for (let at = 1; at < row.length; at++) {
      const kept = (row[at - 1] ?? 0) + (noted[at - 1] === spoken[index] ? 0 : 1)
      next[at] = min(kept, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1)
    }
    ;[row, next] = [next, row]
  }
  return (row.at(-1) ?? 0) / said.length
}

testLecture(
  'cleans the rolling captions of an 80-minute lecture so that each word appears once (needs TEST_YOUTUBE_RECORDINGS)',
  () => {
    const said = wordsOf(parseVtt(readLecture('derived')).map(({ text }) => text))
    const shown = parseTimedText(lecture)
    const { cues, report } = cleanCues(shown, 'auto')
    const heard = wordsOf(cues.map(({ text }) => text))
    expect(wordsOf(shown.map(({ text }) => text.replace(/<[^>]*>/g, ''))).length / said.length).toBeGreaterThan(3)
    expect(Math.abs(heard.length / said.length - 1)).toBeLessThan(0.06)
    expect(report.removed_duplicates).toBeGreaterThan(shown.length * 0.9)
    // The two differ only in what the platform misheard and in hesitations that the transcribers left out.
    const error = wordError(said, heard)
    process.stderr.write(
      `Lecture of 80 minutes: ${said.length} words said, ${heard.length} heard, word error ${(error * 100).toFixed(1)} %\n`,
    )
    expect(error).toBeLessThan(0.2)
  },
)

const DERIVED = readRecordings('derived').filter(({ name }) => name.endsWith('.json3'))
const whereRecorded = DERIVED.length > 0 ? describe : describe.skip

whereRecorded('recorded tracks (need TEST_YOUTUBE_RECORDINGS)', () => {
  test.each(DERIVED.map(({ name, text }) => [name.split('.')[0] ?? '', text]))(
    'in %s contain the same text in three formats',
    (language, text) => {
      const clean = (document: string) => cleanCues(parseTimedText(document)).cues
      const others = readRecordings('derived').filter(({ name }) => name.startsWith(`${language}.srv`))
      expect(others).toHaveLength(2)
      for (const other of others) {
        const [cues, expected] = [clean(other.text), clean(text)]
        expect(cues.map((cue) => cue.text)).toEqual(expected.map((cue) => cue.text))
        for (const [index, cue] of cues.entries()) {
          expect(Math.abs(cue.startMs - (expected[index]?.startMs ?? Number.NaN))).toBeLessThanOrEqual(10)
        }
      }
    },
  )

  const TRACKS = ['json3', 'srv1', 'srv3', 'vtt'].flatMap((format) => readRecordings(`captions/${format}`))
  test.each(TRACKS.map(({ name, text }) => [name, text]))(
    'include %s, whose cues contain words and no markup',
    (name, text) => {
      const { cues, report } = cleanCues(parseTimedText(text), name.includes('asr') ? 'auto' : 'manual')
      expect(cues.length).toBeGreaterThan(0)
      for (const cue of cues) {
        expect(cue.text).toMatch(/\S/)
        expect(cue.text).not.toMatch(/<\/?c>|<\d\d:|&(?:amp|lt|gt|#39);|\n/)
      }
      const starts = cues.map(({ startMs }) => startMs)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
      expect(report.characters_after).toBeLessThanOrEqual(report.characters_before)
    },
  )
})
