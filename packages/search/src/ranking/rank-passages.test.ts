import { jest } from '@jest/globals'
import type { Cue } from '@subtext/contracts'
import { measureGrowth } from '@subtext/runtime/testing'
import { createTextFolder } from '../folding/fold-text.ts'
import { cuesOf, QUESTIONS } from '../testing/questions.ts'
import { rankPassages } from './rank-passages.ts'
import { splitPassages } from './split-passages.ts'

const noPace = async () => {}

describe('the quality of the ranking, by questions with known answers', () => {
  /** The sample talks are short, so that they are split into smaller passages: of a line or two. */
  const WORDS = 8
  const FIRST = 3
  const LANGUAGES = Object.keys(QUESTIONS)

  const setOf = (language: string) => {
    const set = QUESTIONS[language]
    if (!set) throw new Error(`There are no questions in ${language}.`)
    return { cues: cuesOf(set.talk), questions: set.questions }
  }

  /** Returns the share of the questions for which the first passages of a ranking hold the answer. */
  async function measure(language: string, rank: (cues: Cue[], question: string) => Promise<{ text: string }[]>) {
    const { cues, questions } = setOf(language)
    let found = 0
    for (const [question, answer] of questions) {
      const ranked = await rank(cues, question)
      if (ranked.slice(0, FIRST).some(({ text }) => text.includes(answer))) found++
    }
    return found / questions.length
  }

  /** The passages that contain every term of the question. */
  const requireAllTerms = (language: string) => async (cues: Cue[], question: string) => {
    const folder = createTextFolder(language)
    const findTerms = (text: string) => {
      const terms: string[] = []
      folder.fold(text, ({ forms }) => terms.push(forms[0] ?? ''))
      return terms
    }
    return [...splitPassages(cues, WORDS)].filter(({ text }) => {
      const terms = new Set(findTerms(text))
      return findTerms(question).every((term) => terms.has(term))
    })
  }

  test.each(LANGUAGES)('every question in %s has one answer, which hardly anyone finds by chance', (language) => {
    const { cues, questions } = setOf(language)
    const lines = [...new Set(cues.map(({ text }) => text))]
    for (const [, answer] of questions) expect(lines.filter((text) => text.includes(answer))).toHaveLength(1)
    expect(FIRST / [...splitPassages(cues, WORDS)].length).toBeLessThan(0.13)
  })

  test.each(LANGUAGES)(
    'the first passages hold nearly all answers in %s, of which all words find hardly any',
    async (language) => {
      const rank = (cues: Cue[], question: string) => rankPassages(cues, { question, language }, noPace, WORDS)
      expect(await measure(language, rank)).toBeGreaterThanOrEqual(0.85)
      expect(await measure(language, requireAllTerms(language))).toBeLessThan(0.1)
    },
  )
})

const cuesWith = (texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 1_000, durationMs: 900, text }))

/** Ranks texts that are passages of their own. */
const rankTexts = async (texts: string[], question: string, earlier?: string) =>
  (await rankPassages(cuesWith(texts), { question, earlier, language: 'en' }, noPace, 1)).map(({ text }) => text)

test('prefers rare words of the question to common ones', async () => {
  const texts = ['the harbor today', 'the harbor again', 'the anchor', 'the harbor once more']
  expect((await rankTexts(texts, 'harbor anchor'))[0]).toBe('the anchor')
})

test('prefers a passage whose neighbors fit, too', async () => {
  const texts = ['the lamp', 'sea', 'sky', 'the lamp', 'oil for it', 'land', 'fire']
  expect(await rankTexts(texts, 'lamp oil')).toEqual(expect.arrayContaining(texts))
  expect((await rankTexts(texts, 'lamp oil')).slice(0, 2).sort()).toEqual(['oil for it', 'the lamp'])
})

test('keeps the order of the transcript where nothing fits', async () => {
  const texts = ['one', 'two', 'three']
  for (const question of ['nothing', '', '?!', '🙂']) expect(await rankTexts(texts, question)).toEqual(texts)
  expect(await rankTexts([], 'anything')).toEqual([])
})

test('lets the question before it decide what the question leaves open', async () => {
  const texts = ['an anchor costs', 'filler', 'filler', 'a sail costs']
  expect((await rankTexts(texts, 'what does it cost?', 'how is a sail made?'))[0]).toBe('a sail costs')
  expect((await rankTexts(texts, 'the anchor?', 'how is a sail made?'))[0]).toBe('an anchor costs')
})

test('splits a transcript into passages of consecutive segments, none of which is lost', () => {
  const cues = cuesWith(Array.from({ length: 100 }, (_, index) => `word ${index} of many`))
  const passages = [...splitPassages(cues)]
  expect(passages.map(({ first, last }) => [first, last])).toEqual([
    [1, 30],
    [31, 60],
    [61, 90],
    [91, 100],
  ])
  expect(passages.map(({ text }) => text).join(' ')).toBe(cues.map(({ text }) => text).join(' '))
  expect([...splitPassages(cuesWith(['紙'.repeat(240), 'end']))]).toHaveLength(2)
})

test('long segments of few words are not put into one passage', () => {
  const passages = [...splitPassages(cuesWith(Array.from({ length: 100 }, () => 'a'.repeat(1_000))))]
  expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThan(5_000)
})

test.each([
  ['letters that stand for whole phrases', '\ufdfa'.repeat(9_500)],
  ['letters between signs', 'a@'.repeat(4_750)],
  ['words', 'word '.repeat(1_900)],
  ['one word', 'a'.repeat(9_500)],
  ['letters that do not fit into two bytes', '𝒂'.repeat(4_750)],
])('takes small steps even for %s', async (_, text) => {
  const normalize = jest.spyOn(String.prototype, 'normalize')
  const steps = [0]
  const pace = async () => void steps.push(normalize.mock.results.length)
  await rankPassages(cuesWith(Array.from({ length: 20 }, () => text)), { question: 'tea?', language: 'en' }, pace)
  const lengths = normalize.mock.contexts.map((folded) => `${folded}`.length)
  const longest = steps.map((from, place) =>
    lengths.slice(from, steps[place + 1]).reduce((sum, length) => sum + length, 0),
  )
  normalize.mockRestore()
  expect(steps.length).toBeGreaterThan((20 * text.length) / 2_000)
  expect(Math.max(...longest)).toBeLessThanOrEqual(2_000)
})

test('finds the same terms in a long segment as in a short one', async () => {
  const filler = Array.from({ length: 400 }, (_, index) => `filler${index}, Σοφός`).join(' ')
  const texts = [`${filler} harbor ${filler}`, filler, `${filler} ${'紙の繊維、'.repeat(300)}anchor`]
  expect((await rankTexts(texts, 'harbor'))[0]).toBe(texts[0])
  expect((await rankTexts(texts, 'anchor'))[0]).toBe(texts[2])
})

test('finds a word wherever it is in a long segment', async () => {
  for (let at = 990; at <= 1_000; at++) {
    const texts = ['-'.repeat(at), `${'-'.repeat(at)}harbor ${'-'.repeat(at)}`]
    expect((await rankTexts(texts, 'harbor'))[0]).toBe(texts[1])
  }
})

test('pauses between the terms of a long question', async () => {
  const pace = jest.fn(async () => {})
  const question = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
  await rankPassages(cuesWith(['one', 'two']), { question, language: 'en' }, pace)
  expect(pace.mock.calls.length).toBeGreaterThanOrEqual(300)
})

test('takes linear time for long transcripts', async () => {
  const cues = cuesOf('english')
  const rank = (size: number) =>
    rankPassages(
      Array.from({ length: size }, (_, index) => cues[index % cues.length] ?? { startMs: 0, durationMs: 0, text: '' }),
      { question: 'Where was Tharp born?', language: 'en' },
      noPace,
    )
  expect(await measureGrowth(rank, { small: 1_000, large: 8_000 })).toBeLessThan(3)
})
