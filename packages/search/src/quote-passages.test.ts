import { createTextFolder } from './folding/fold-text.ts'
import { foldTranscript } from './folding/fold-transcript.ts'
import { findMatches } from './matching/find-matches.ts'
import { buildPattern } from './matching/patterns.ts'
import { quotePassages } from './quote-passages.ts'
import { countPassages, scorePassages } from './ranking/score-passages.ts'

const pace = async (): Promise<void> => {}

/** Returns the passages of a transcript, of about `words` words, that say something, with the words that are highlighted. */
async function quote(segments: string[], wanted: string[], { language = 'en', words = 4, max = 3 } = {}) {
  const folder = createTextFolder(language)
  const cues = segments.map((text, nth) => ({ text, startMs: nth * 1_000, durationMs: 900 }))
  const transcript = await foldTranscript(cues, language, pace, folder)
  const patterns = wanted.map((text) => buildPattern(text, folder))
  const matches = await findMatches(transcript, patterns, pace)
  const counted = await countPassages(transcript, matches, pace, words)
  const [scored = []] = await scorePassages(
    [counted],
    patterns.map(() => 1),
    pace,
  )
  return quotePassages(transcript, scored, max).map(({ first, last, text, highlights }) => ({
    segments: [first, last],
    text,
    said: highlights.map(([from, to]) => text.slice(from, to)),
  }))
}

test('phrases that overlap across the border of two passages leave none of them without a highlight', async () => {
  const found = await quote(['one two three deep', 'blue', 'sea five six seven'], ['deep blue', 'blue sea'])
  expect(found.length).toBeGreaterThan(0)
  for (const { said } of found) expect(said).not.toEqual([])
  expect(found.flatMap(({ said }) => said).join(' ')).toMatch(/deep blue|blue sea/)
})

test.each([
  ['ko', 'AI가 바꾼 세상', 'AI', ['AI가']],
  ['ko', '김치를 먹는다', '김치', ['김치를']],
  ['ja', 'AIが変える世界', 'AI', ['AI']],
  ['ja', '日本語の文章', '本語', ['本語']],
  ['fr', "L'École, aujourd'hui.", 'ecole', ['École']],
  ['de', 'Die ﬁnale Prüfung', 'finale', ['ﬁnale']],
  ['hi', 'हिन्दी में समाचार।', 'हिन्दी', ['हिन्दी']],
  ['en', 'A 👩‍🚀 ship, 𝔰𝔥𝔦𝔭!', 'ship', ['ship', '𝔰𝔥𝔦𝔭']],
])('highlights whole words as they are said in %s: %s', async (language, text, wanted, said) => {
  expect(await quote([text], [wanted], { language })).toMatchObject([{ text, said }])
})

test('passages are joined segments, of which none is in two', async () => {
  const segments = Array.from({ length: 60 }, (_, nth) =>
    nth % 5 === 4 ? 'big' : nth % 5 === 0 ? 'ship here' : `w${nth} x`,
  )
  const found = await quote(segments, ['big ship', 'ship'])
  expect(found).toHaveLength(3)
  const seen = new Set<number>()
  for (const {
    segments: [first = 0, last = 0],
    text,
  } of found) {
    expect(text).toBe(segments.slice(first - 1, last).join(' '))
    for (let id = first; id <= last; id++) {
      expect(seen.has(id)).toBe(false)
      seen.add(id)
    }
  }
})
