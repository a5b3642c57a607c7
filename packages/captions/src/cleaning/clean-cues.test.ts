import type { Cue, TrackKind } from '@subtext/contracts'
import { measureGrowth } from '@subtext/runtime/testing'
import { cleanCues, cleanCuesInTurns } from './clean-cues.ts'

const cue = (startMs: number, endMs: number, text: string): Cue => ({ startMs, durationMs: endMs - startMs, text })
const cleaned = (cues: Cue[], kind?: TrackKind) => cleanCues(cues, kind).cues
const texts = (cues: Cue[], kind?: TrackKind) => cleaned(cues, kind).map(({ text }) => text)
const clean = (text: string, kind?: TrackKind) => texts([cue(0, 1000, text)], kind)

describe('cleanCues: times', () => {
  test('sorts cues and ends each where the next one starts', () => {
    expect(cleaned([cue(5000, 9000, 'b'), cue(0, 7000, 'a'), cue(12_000, 13_000, 'c')])).toEqual([
      cue(0, 5000, 'a'),
      cue(5000, 9000, 'b'),
      cue(12_000, 13_000, 'c'),
    ])
  })

  test('lets cues with the same start overlap until the next cue', () => {
    expect(cleaned([cue(0, 9000, 'left'), cue(0, 2000, 'right'), cue(4000, 5000, 'next')])).toEqual([
      cue(0, 4000, 'left'),
      cue(0, 2000, 'right'),
      cue(4000, 5000, 'next'),
    ])
  })

  test('assumes a duration for cues without one, up to the next cue', () => {
    const cues = cleaned([cue(0, 0, 'a'), cue(900, 900, 'b'), cue(60_000, 60_000, 'c')])
    expect(cues.map(({ durationMs }) => durationMs)).toEqual([900, 5000, 5000])
  })
})

test('cleanCues shortens a cue that is said to last for hours', () => {
  const hours = 13 * 3_600_000
  expect(cleaned([cue(0, hours, 'a'), cue(60_000, 60_000 + hours, 'b')])).toEqual([
    cue(0, 5_000, 'a'),
    cue(60_000, 65_000, 'b'),
  ])
  expect(cleaned([cue(0, 90_000, 'a long shot')])).toEqual([cue(0, 90_000, 'a long shot')])
})

describe('cleanCues: repetitions', () => {
  test('removes the repeated lines of rolling captions and their bridges', () => {
    const rolling = [
      cue(0, 2000, ' \nuntil we meet'),
      cue(2000, 2010, 'until we meet\n '),
      cue(2010, 4000, 'until we meet\nin the old'),
      cue(4000, 4010, 'in the old\n '),
      cue(4010, 6000, 'in the old\nmill by the river'),
    ]
    expect(texts(rolling, 'auto')).toEqual(['until we meet', 'in the old', 'mill by the river'])
  })

  test('removes the repeated lines of rolling captions whose new line is a sound', () => {
    const rolling = [
      cue(0, 2000, 'a kernel\ninside it'),
      cue(2000, 3000, 'inside it\n[Music]'),
      cue(3000, 3010, '[Music]\n '),
      cue(3010, 5000, '[Music]\none of them'),
      cue(5000, 7000, 'one of them\nis a file'),
    ]
    const { cues, report } = cleanCues(rolling, 'auto')
    expect(cues.map(({ text }) => text)).toEqual(['a kernel inside it', 'one of them', 'is a file'])
    expect(report).toMatchObject({ removed_duplicates: 2, removed_non_speech: 3 })
  })

  test('removes rolling lines that stay on the screen for seconds', () => {
    const rolling = [
      cue(0, 2000, ' \nuntil<00:00:00.400><c> we</c><00:00:01.000><c> meet</c>'),
      cue(2000, 5000, 'until we meet\n '),
      cue(5000, 7000, 'until we meet\nin<00:00:05.500><c> the old</c>'),
      cue(7000, 9000, 'until we meet\nin the old'),
    ]
    expect(texts(rolling, 'auto')).toEqual(['until we meet', 'in the old'])
  })

  test('keeps a line of an automatic track that is spoken twice, and one of a manual track with a blank line', () => {
    expect(texts([cue(0, 2000, 'yeah'), cue(2000, 4000, 'yeah')], 'auto')).toEqual(['yeah', 'yeah'])
    expect(texts([cue(0, 2000, 'yeah\n '), cue(2000, 4000, 'yeah\n ')], 'manual')).toEqual(['yeah', 'yeah'])
  })

  test('removes text repeated at the same moment, even with another cue in between', () => {
    expect(texts([cue(0, 900, 'shadow'), cue(0, 900, 'light'), cue(0, 800, ' shadow ')])).toEqual(['shadow', 'light'])
  })

  test('joins the frames of an animated caption', () => {
    expect(cleaned([cue(0, 200, 'boom'), cue(200, 400, 'boom'), cue(400, 600, 'boom')])).toEqual([cue(0, 600, 'boom')])
  })

  test('keeps a line that is spoken twice', () => {
    const chorus = [cue(0, 2000, 'let it snow'), cue(2000, 4000, 'let it snow')]
    expect(texts(chorus)).toEqual(['let it snow', 'let it snow'])
  })

  test('keeps a line that is repeated after a pause', () => {
    expect(texts([cue(0, 1000, 'why?\nbecause'), cue(5000, 6000, 'because\nI say so')])).toEqual([
      'why? because',
      'because I say so',
    ])
  })
})

describe('cleanCues: texts', () => {
  test.each([
    ['white space', '  a \n\n b\t\u00A0c ', ['a b c']],
    ['entities that were escaped twice', 'it&amp;#39;s &lt;i&gt;so&lt;/i&gt; &amp;amp; true', ["it's so & true"]],
    ['markup and word times', '<c>one</c><00:00:01.500> <i>two</i> <font color="#fff">three</font>', ['one two three']],
    ['invisible characters', 'se\u200Bcret \u202Etxet\u202C\u0007', ['secret txet']],
    ['a lone reference beyond Unicode', 'a &#x110000; b', ['a b']],
    ['comparisons, which are not markup', 'if a < b and c > d', ['if a < b and c > d']],
    ['marks of direction', '&rlm;- \u0645\u0631\u062D\u0628\u0627&lrm;', ['- \u0645\u0631\u062D\u0628\u0627']],
    ['positions of SubRip', '{\\an8}up here', ['up here']],
    ['an empty text', ' \n\u200B ', []],
  ])('cleans %s', (_, text, expected) => {
    expect(clean(text)).toEqual(expected)
  })

  test.each([
    '[Music]',
    '[Applause] [Music]',
    '[音楽]',
    '[음악]',
    '【拍手】',
    '♪',
    '♪ ♪ ♪',
    '(Applause)',
    '（笑）',
    '>> [Laughter]',
    '...',
  ])('removes a cue that consists of %s', (text) => {
    expect(clean(text, 'manual')).toEqual([])
    expect(clean(text, 'auto')).toEqual([])
  })

  test.each(['♪～', '〜♬', '➡', '♪♪ 🎤', '𝄞', '(موسيقى)', '—?!'])('removes a cue without words: %s', (text) => {
    expect(clean(text, 'manual')).toEqual([])
    expect(clean(text, 'auto')).toEqual([])
  })

  test.each<[TrackKind, string, string]>([
    ['auto', '今日 は 天気 が いい', '今日は天気がいい'],
    ['auto', '我们 用 Python 3 写', '我们用 Python 3 写'],
    ['auto', '한국에 원자로를', '한국에 원자로를'],
    ['manual', '今日は天気が\nいいです。', '今日は天気がいいです。'],
    ['manual', '你好 我是小明', '你好 我是小明'],
    ['manual', '我们用\nPython', '我们用 Python'],
  ])('writes Chinese and Japanese of %s tracks without spaces that nobody wrote: %j', (kind, text, expected) => {
    expect(clean(text, kind)).toEqual([expected])
  })

  test('removes sounds within lines of automatic tracks only', () => {
    expect(clean('thank you [Applause] so much', 'auto')).toEqual(['thank you so much'])
    expect(clean('thank you [Applause] so much', 'manual')).toEqual(['thank you [Applause] so much'])
  })

  test('keeps words that only look like sounds', () => {
    expect(clean('what the [ __ ]', 'auto')).toEqual(['what the [ __ ]'])
    expect(clean('[ __ ]', 'auto')).toEqual(['[ __ ]'])
    expect(clean('♪ here comes the sun ♪', 'manual')).toEqual(['♪ here comes the sun ♪'])
    expect(clean('(he never came back)', 'manual')).toEqual(['(he never came back)'])
  })

  test('begins a new cue where the speaker changes, but not at operators', () => {
    expect(clean('>> Good evening.\n>>> And to you.', 'manual')).toEqual(['>> Good evening.', '>> And to you.'])
    expect(clean('&gt;&gt; yes. >> no.', 'auto')).toEqual(['>> yes.', '>> no.'])
    expect(clean('and so >> who knows', 'auto')).toEqual(['and so', '>> who knows'])
    expect(clean('write cin >> x here', 'manual')).toEqual(['write cin >> x here'])
    expect(clean('>> >>', 'auto')).toEqual([])
  })

  test('divides the duration of a cue between its speakers', () => {
    expect(cleaned([cue(0, 1000, 'three >> it is')], 'auto')).toEqual([
      cue(0, 385, 'three'),
      cue(385, 1000, '>> it is'),
    ])
  })
})

describe('the cleaning report', () => {
  test('counts the lines that rolling captions repeat', () => {
    const rolling = [cue(0, 2000, ' \none'), cue(2000, 2010, 'one\n '), cue(2010, 4000, 'one\ntwo')]
    expect(cleanCues(rolling, 'auto').report).toEqual({
      removed_duplicates: 2,
      removed_non_speech: 0,
      characters_before: 5 + 5 + 7,
      characters_after: 6,
    })
  })

  test('counts sounds, both as separate cues and within a line', () => {
    const { report } = cleanCues(
      [cue(0, 900, '[Music]'), cue(1000, 1900, 'thanks [Applause] a lot [Laughter]')],
      'auto',
    )
    expect(report).toEqual({
      removed_duplicates: 0,
      removed_non_speech: 3,
      characters_before: 7 + 34,
      characters_after: 12,
    })
  })

  test('does not count a masked word as a sound', () => {
    expect(cleanCues([cue(0, 900, 'oh [ __ ]')], 'auto').report.removed_non_speech).toBe(0)
  })
})

test('cleanCuesInTurns returns the same result and yields to the event loop', async () => {
  const track = Array.from({ length: 9_000 }, (_, n) => cue(n * 1000, n * 1000 + 900, `>> word ${n} [Music]`))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  expect(await cleanCuesInTurns(track, 'auto')).toEqual(cleanCues(track, 'auto'))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('cleans a track of 30,000 cues without changing its input', () => {
  const track = Array.from({ length: 30_000 }, (_, n) =>
    cue(n * 1000, n * 1000 + 2500, `word ${n} [Music] &amp;amp; more`),
  )
  const copy = structuredClone(track)
  const cues = cleaned(track, 'auto')
  expect(cues).toHaveLength(30_000)
  expect(cues[29_999]).toEqual(cue(29_999_000, 30_001_500, 'word 29999 & more'))
  expect(track).toEqual(copy)
})

const HOSTILE = ['[', '<i ', '&#', '> ', ' ', '\u200D', '((', '&amp;']

test.each(HOSTILE)('reads only the beginning of a hostile text of many %p', (part) => {
  const clean = (repeats: number) => cleanCues([cue(0, 1000, part.repeat(repeats))], 'auto')
  expect(clean(1_000_000).cues).toEqual(clean(100_000).cues)
})

test.each(HOSTILE)('cleans a hostile text of many %p in linear time', async (part) => {
  const clean = (repeats: number) => void cleanCues([cue(0, 1000, part.repeat(repeats))], 'auto')
  expect(await measureGrowth(clean, { small: 1_000, large: 16_000 })).toBeLessThan(6)
})

test('compares cues of many lines in linear time', async () => {
  const clean = (lines: number) => {
    const text = `${'a\n'.repeat(lines)}b`
    const frames = Array.from({ length: 4 }, (_, n) => cue(n * 10, n * 10 + 10, text + n))
    cleanCues(frames, 'auto')
  }
  expect(await measureGrowth(clean, { small: 500, large: 4_000 })).toBeLessThan(4)
})
