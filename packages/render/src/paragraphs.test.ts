import type { Cue } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { createParagraphs, type Paragraph } from './paragraphs.ts'
import { buildCues } from './testing/sample-result.ts'

const joinCues = (cues: Cue[], size = cues.length): string[] => {
  return timedParagraphs(cues, [], size).map(({ text }) => text)
}

const timedParagraphs = (cues: Cue[], breaks: number[], size = cues.length): Paragraph[] => {
  const paragraphs = createParagraphs(breaks)
  const done: Paragraph[] = []
  for (let at = 0; at < cues.length; at += size) done.push(...paragraphs.add(cues.slice(at, at + size)))
  return [...done, ...paragraphs.end()]
}

describe('joining cues', () => {
  test.each([
    [['one', 'two'], 'one two'],
    [['  one\ntwo ', 'th\u0000ree'], 'one two th ree'],
    [['これは', 'テストです。', '次の文'], 'これはテストです。次の文'],
    [['我们用', 'Python', '写程序'], '我们用 Python 写程序'],
    [['𠮷野', '家に'], '𠮷野家に'],
    [['（注）', '全角！', 'はい'], '（注）全角！はい'],
    [['안녕하세요', '여러분'], '안녕하세요 여러분'],
    [['नमस्ते दोस्तों', 'यह हिन्दी है।'], 'नमस्ते दोस्तों यह हिन्दी है।'],
  ])('separates %j as their scripts require', (texts, joined) => {
    expect(joinCues(buildCues(texts))).toEqual([joined])
  })
})

describe('a paragraph', () => {
  const cue = (startMs: number, durationMs: number, text: string): Cue => ({ startMs, durationMs, text })

  test('ends at a pause of two seconds after the previous cue', () => {
    const cues = [cue(9_000, 1_000, 'a'), cue(11_999, 500, 'b'), cue(14_499, 1_000, 'c')]
    expect(joinCues(cues)).toEqual(['a b', 'c'])
  })

  test('ends at a cue without text, which is a pause', () => {
    expect(joinCues(buildCues(['a', ' \n', 'b']))).toEqual(['a', 'b'])
  })

  test('ends before the first cue at or after each break', () => {
    const cues = buildCues(['a', 'b', 'c', 'd', 'e'])
    const begins = (breaks: number[]) => timedParagraphs(cues, breaks, 2).map(({ startMs, text }) => [startMs, text])
    expect(begins([])).toEqual([[0, 'a b c d e']])
    expect(begins([0, 3_000, 3_001, 5_000, 60_000])).toEqual([
      [0, 'a'],
      [3_000, 'b'],
      [6_000, 'c d e'],
    ])
  })

  test('ends at a change of speaker', () => {
    expect(joinCues(buildCues(['Is it?', '>> It is.', 'Surely.']))).toEqual(['Is it?', '>> It is. Surely.'])
  })

  test('ends with the sentence that exceeds 600 characters, even within a cue', () => {
    const [first, second, ...rest] = joinCues(
      buildCues([...Array(20).fill('word '.repeat(10)), 'it ends. And goes on']),
    )
    expect(first).toMatch(/^word .* it ends\.$/)
    expect(first?.length).toBe(1_008)
    expect(second).toBe('And goes on')
    expect(rest).toEqual([])
  })

  test.each([
    ['Devanagari', 'शब्द '.repeat(130), 'अन्त।'],
    ['Japanese', 'ことば'.repeat(210), '終わり。'],
    ['a quotation', 'word '.repeat(130), 'he said “Go!”'],
  ])('ends with a sentence in %s', (_name, long, end) => {
    const paragraphs = joinCues(buildCues([long + end, 'Next']))
    expect(paragraphs).toEqual([long + end, 'Next'])
  })

  test('does not end with an abbreviation or a number', () => {
    expect(joinCues(buildCues([`${'word '.repeat(130)}e.g. this 3.5 and`, 'more']))).toHaveLength(1)
  })

  test('ends between two cues before 1,200 characters if no sentence ends', () => {
    const paragraphs = joinCues(buildCues(Array(60).fill('seven words that do not end here')))
    expect(paragraphs.length).toBeGreaterThan(1)
    for (const paragraph of paragraphs) {
      expect(paragraph.length).toBeLessThanOrEqual(1_200)
      expect(paragraph).toMatch(/^seven .* here$/)
    }
  })

  test('ends between two characters within a cue without spaces', () => {
    const text = `a${'😀'.repeat(2_000)}`
    const paragraphs = joinCues(buildCues([text]))
    expect(paragraphs.join('')).toBe(text)
    for (const paragraph of paragraphs) {
      expect(paragraph.isWellFormed()).toBe(true)
      expect(paragraph.length).toBeLessThanOrEqual(1_200)
    }
    expect(joinCues(buildCues(['कि'.repeat(1_000)])).every((part) => part.startsWith('कि'))).toBe(true)
  })
})

test('the paragraphs do not depend on how cues are divided into parts, and no character is lost', () => {
  const words = fc.constantFrom(
    'word',
    'an end.',
    '終わり。',
    '漢字',
    'बात।',
    '>> hey',
    '',
    '😀'.repeat(40),
    'x'.repeat(1_500),
  )
  const cues = fc.array(
    fc.record({ text: words, startMs: fc.nat({ max: 9 }), durationMs: fc.integer({ min: 500, max: 3_000 }) }),
    { minLength: 1, maxLength: 120 },
  )
  fc.assert(
    fc.property(cues, fc.integer({ min: 1, max: 50 }), (generated, size) => {
      const timed = generated.map((cue, index) => ({ ...cue, startMs: index * 3_000 + cue.startMs }))
      const whole = joinCues(timed)
      expect(joinCues(timed, size)).toEqual(whole)
      const squeeze = (text: string): string => text.replaceAll(' ', '')
      expect(squeeze(whole.join(''))).toBe(squeeze(timed.map((cue) => cue.text).join('')))
      for (const paragraph of whole) expect(paragraph.length).toBeLessThanOrEqual(1_200)
    }),
    { numRuns: fuzzRuns(), seed: 3 },
  )
})

test('a paragraph has the time of the cue in which it starts', () => {
  const sentence = `${'word '.repeat(150)}end.`
  const cues = buildCues(['first', `${sentence} Same cue`, 'third', sentence, ' Next', 'last'])
  const found = timedParagraphs(cues, []).map(({ startMs, text }) => [startMs, text.slice(0, 5), text.slice(-4)])
  expect(found).toEqual([
    [0, 'first', 'end.'],
    [3_000, 'Same ', 'end.'],
    [12_000, 'Next ', 'last'],
  ])
})
