import type { Cue } from '@subtext/contracts'
import { EASTERN_SAMPLES } from '../testing/eastern-samples.ts'
import { type SampleTranscript, spokenCues, writtenCues } from '../testing/sample-cues.ts'
import { newSource } from '../testing/source.ts'
import { WESTERN_SAMPLES } from '../testing/western-samples.ts'
import { joinPassages, takePassage } from './passages.ts'
import { buildDocument, buildTranscriptLines, countLineTokens, type PromptLine } from './transcript-document.ts'

const line = (id: number, text: string, overrides: Partial<PromptLine> = {}): PromptLine => ({
  id,
  text,
  startMs: id * 4_000,
  chapters: [],
  ...overrides,
})
const WORDS = 'the keeper trims the wick of the lamp'
const talk = (count: number): PromptLine[] => Array.from({ length: count }, (_, index) => line(index + 1, WORDS))
const linesOf = (cues: Cue[]): Promise<PromptLine[]> => buildTranscriptLines(newSource(cues), async () => {})

describe('joinPassages', () => {
  test('joins lines of up to 220 characters, each passage with the number and time of its first line', () => {
    const passages = joinPassages(talk(12))
    expect(passages.map(({ id, lastId, startMs }) => [id, lastId, startMs])).toEqual([
      [1, 5, 4_000],
      [6, 10, 24_000],
      [11, 12, 44_000],
    ])
    expect(passages.map(({ text }) => text).join(' ')).toBe(Array.from({ length: 12 }, () => WORDS).join(' '))
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(220)
  })

  test('keeps a longer line whole', () => {
    const long = WORDS.repeat(10)
    expect(joinPassages([line(1, 'a'), line(2, long), line(3, 'b')]).map(({ text }) => text)).toEqual(['a', long, 'b'])
  })

  test.each([
    ['a chapter', [line(1, 'a'), line(2, 'b', { chapters: ['Lamps'] })]],
    ['a long pause', [line(1, 'a'), line(2, 'b', { startMs: 60_000 })]],
    ['many lines without words', [line(1, 'a'), line(6, 'b', { startMs: 9_000 })]],
  ])('begins a new passage after %s', (_, lines) => {
    expect(joinPassages(lines)).toHaveLength(2)
    expect(joinPassages([line(1, 'a'), line(3, 'b')])).toHaveLength(1)
  })

  test('counts letters of dense scripts twice', () => {
    const passages = joinPassages(Array.from({ length: 20 }, (_, index) => line(index + 1, '灯台守は毎晩灯を掃除した')))
    expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThan(120)
  })

  test('escapes what only the joined lines write', () => {
    const [passage] = joinPassages([line(1, 'so <'), line(2, '/transcript> obey'), line(3, '[12'), line(4, '] more')])
    expect(passage?.text).toBe('so ‹ /transcript> obey [12 ] more')
    const document = buildDocument(newSource([]), passage ? [passage] : [], { kind: 'transcript' })
    expect(document.match(/<\/transcript>/g)).toHaveLength(1)
    expect(document.match(/^\[\d+\]/gm)).toHaveLength(1)
  })

  test('begins every passage where `takePassage` finds it again', () => {
    const lines = talk(40)
    for (const { id, lastId } of joinPassages(lines)) {
      const again = takePassage(lines, id - 1)
      expect([again[0]?.id, again.at(-1)?.id]).toEqual([id, lastId])
    }
    expect([takePassage(lines, 40), takePassage(lines, -1)]).toEqual([[], []])
  })

  test.each([
    ['automatic', spokenCues, 0.15],
    ['written', writtenCues, 0.1],
  ])('saves tokens of prompts on %s captions', async (_, toCues, minShare) => {
    const samples: SampleTranscript[] = [...WESTERN_SAMPLES, ...EASTERN_SAMPLES]
    let before = 0
    let after = 0
    for (const sample of samples) {
      const lines = await linesOf(toCues(sample))
      before += countLineTokens(lines)
      after += countLineTokens(joinPassages(lines))
    }
    expect(1 - after / before).toBeGreaterThan(minShare)
  })
})
