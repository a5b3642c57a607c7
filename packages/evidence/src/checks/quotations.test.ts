import { measureGrowth } from '@subtext/runtime/testing'
import { LIGHTHOUSE, lighthouseCues, linesOf, quoteFrom, segmentOf } from '../testing/lighthouse.ts'
import { createQuoteFinder } from './quotations.ts'

const cuesOf = (...texts: string[]) => texts.map((text, index) => ({ startMs: index * 5_000, durationMs: 5_000, text }))
const finderOf = (...texts: string[]) => createQuoteFinder(cuesOf(...texts))
const LANGUAGES = Object.keys(LIGHTHOUSE)

test.each(LANGUAGES)('%s: finds a quotation in its segment, and in no other', (language) => {
  const find = createQuoteFinder(lighthouseCues(language))
  for (const [line, text] of linesOf(language).entries()) {
    const id = segmentOf(line)
    for (const quote of [quoteFrom(text), quoteFrom(text, 0), text]) {
      expect(find(id, quote)).toEqual([id])
      expect(find(segmentOf((line + 1) % 4), quote)).toEqual([])
    }
  }
})

test.each(LANGUAGES)('%s: finds no quotation with a word changed, left out or added', (language) => {
  const isSpaced = !['ja', 'zh', 'th'].includes(language)
  const find = createQuoteFinder(lighthouseCues(language))
  for (const [line, text] of linesOf(language).entries()) {
    const units = isSpaced ? quoteFrom(text).split(' ') : [...quoteFrom(text)]
    const join = (list: string[]) => list.join(isSpaced ? ' ' : '')
    const foreign = isSpaced ? 'perhaps' : '猫'
    expect(find(segmentOf(line), join(units.with(1, foreign)))).toEqual([])
    expect(find(segmentOf(line), join(units.toSpliced(1, 1)))).toEqual([])
    expect(find(segmentOf(line), join(units.toSpliced(2, 0, foreign)))).toEqual([])
    expect(find(segmentOf(line), join(units.toReversed()))).toEqual([])
  }
})

test.each([
  ['another case', 'The Keeper climbed', 'the keeper CLIMBED'],
  ['other quotation marks', 'she said “it’s not here”', 'she said "it\'s not here"'],
  ['other punctuation', 'two hundred steps, every evening.', 'two-hundred steps; every evening'],
  ['full width', 'ＡＢＣ１２３４灯台', 'ABC1234灯台'],
  ['half width', '灯台ハ古イ建物', '灯台ﾊ古ｲ建物'],
  ['half width with a voicing mark', '灯台ガ古イ建物', '灯台ｶﾞ古ｲ建物'],
  ['ideographic punctuation', '灯台は、古い「建物」です。', '灯台は古い建物です'],
  ['spaces within a script without them', '灯台は古い建物です', '灯台 は 古い 建物 です'],
  ['other spaces between Korean words', '오늘날에는 작은 태양광 패널이', '오늘날에는 작은태양광 패널이'],
  ['composed letters', 'café élève très tôt', 'cafe\u0301 e\u0301le\u0300ve tre\u0300s to\u0302t'],
  ['the dotted capital of Turkish', 'İstanbul limanı eski', 'istanbul limanı eski'],
  ['Arabic vowel signs', 'بُنيت أول منارة', 'بنيت أول منارة'],
  ['a lengthened Arabic line', 'بنيت أول منـــارة', 'بنيت أول منارة'],
  ['digits of another script', 'عام ١٨١١ هنا بالضبط', 'عام 1811 هنا بالضبط'],
  ['invisible characters', 'the first\u200B light\u00ADhouse', 'the first lighthouse'],
])('finds a quotation with %s', (_, said, quote) => {
  expect(finderOf('♪', said)(2, quote)).toEqual([2])
})

test.each([
  ['a part of a word', 'the lighthouses stood', 'lighthouse stood'],
  ['two halves of words', 'the light housed many', 'lighthouse many'],
  ['another number', 'it was built in 1811 here', 'it was built in 181 here'],
  ['too few letters', 'so it was the old one', 'was the'],
  ['punctuation alone', '… — …', '…'],
  ['nothing', 'the first lighthouse', ''],
])('does not find %s', (_, said, quote) => {
  expect(finderOf('♪', said)(2, quote)).toEqual([])
})

test('finds a quotation beside the named segment, and cites where it was said', () => {
  const find = finderOf('the first lighthouse was built', 'a keeper climbed the steps', 'a panel does his work')
  expect(find(2, 'first lighthouse was built')).toEqual([1])
  expect(find(2, 'panel does his work')).toEqual([3])
  expect(find(1, 'panel does his work')).toEqual([])
})

test('cites every segment over whose borders a quotation runs', () => {
  const find = finderOf('the first lighthouse was', 'built', 'by hand in 1811')
  expect(find(2, 'lighthouse was built by hand')).toEqual([1, 2, 3])
  expect(find(1, 'first lighthouse was built')).toEqual([1, 2])
  expect(find(3, 'lighthouse was built by')).toEqual([])
  expect(finderOf('灯台は古い', '建物です')(1, '古い建物です')).toEqual([1, 2])
})

test('accepts a segment that is quoted whole, however short', () => {
  expect(finderOf('Yes.', 'No, never.')(1, 'yes')).toEqual([1])
})

test.each([0, -1, 3, 1.5, Number.NaN, 999_999])('finds nothing in segment %s, which does not exist', (id) => {
  expect(finderOf('the first lighthouse', 'was built here')(id, 'the first lighthouse')).toEqual([])
})

test('takes linear time for long lines and quotations', async () => {
  const find = (size: number) => finderOf('word '.repeat(size), 'a '.repeat(size))(1, `${'word '.repeat(size)}x`)
  expect(await measureGrowth((size) => void find(size), { small: 4_000, large: 64_000 })).toBeLessThan(5)
})
