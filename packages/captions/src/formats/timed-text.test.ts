import { measureGrowth } from '@subtext/runtime/testing'
import { parseSrv1 } from './srv1.ts'
import { parseSrv3 } from './srv3.ts'
import { parseTimedText } from './timed-text.ts'
import { parseTtml } from './ttml.ts'
import { parseVtt } from './vtt.ts'

const cue = (startMs: number, durationMs: number, text: string) => ({ startMs, durationMs, text })

describe('parseSrv3', () => {
  const srv3 = (body: string, head = '') =>
    parseSrv3(
      `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head>${head}</head><body>${body}</body></timedtext>`,
    )

  test('joins the words of a line and keeps the spaces they contain', () => {
    const words = '<s ac="200">to</s><s t="300" ac="180"> the</s><s t="500"> mill</s>'
    expect(srv3(`<w t="0" id="1"/><p t="120" d="2500" w="1">${words}</p>`)).toEqual([
      { ...cue(120, 2500, 'to the mill'), pauses: [] },
    ])
  })

  test('skips scrolling events and lines without text or time', () => {
    expect(srv3('<p t="10" d="5" w="1" a="1">\n</p><p t="20" d="5"></p><p d="5">x</p>')).toEqual([])
    expect(srv3('<p t="-4" d="900">y</p>')).toEqual([{ startMs: 0, durationMs: 900, text: 'y' }])
  })

  test('keeps line breaks and the text between styled words', () => {
    expect(srv3('<p t="1" d="2" wp="1">one<br/>two <s p="1">and</s> three</p>')).toEqual([
      cue(1, 2, 'one\ntwo and three'),
    ])
  })

  test('ignores the indentation of a formatted document', () => {
    expect(srv3('<p t="1" d="2">\n   <s>日</s>\n   <s t="5">本</s>\n  </p>')[0]?.text.trim()).toBe('日本')
  })

  test('decodes one level of escaping', () => {
    expect(srv3('<p t="0" d="1">it&#39;s &lt;b&gt; &amp;amp; x</p>')).toEqual([cue(0, 1, "it's <b> &amp; x")])
  })

  test('reads the base of ruby text and skips the readings above it', () => {
    const pens = '<pen id="1" rb="1"/><pen id="2" rb="2"/><pen id="3" rb="4"/>'
    const ruby = '<s p="1">漢字</s><s p="2">(</s><s p="3">かんじ</s><s p="2">)</s>です'
    expect(srv3(`<p t="0" d="9">${ruby}</p>`, pens)).toEqual([cue(0, 9, '漢字です')])
  })

  test('treats a missing duration as 0 and ends an unclosed line at the next one', () => {
    expect(srv3('<p t="5">a<p t="7" d="3">b</p>')).toEqual([cue(5, 0, 'a'), cue(7, 3, 'b')])
  })

  test('skips comments and instructions and reads CDATA sections', () => {
    expect(srv3('<!-- <p t="1">no</p> --><p t="2" d="1">yes<?x y?> <![CDATA[<b>]]></p>')).toEqual([
      cue(2, 1, 'yes <b>'),
    ])
  })

  test('expands no entities except those of XML', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>'
    expect(parseSrv3(`${bomb}<timedtext><body><p t="1" d="1">&a;&a;</p></body></timedtext>`)).toEqual([
      cue(1, 1, '&a;&a;'),
    ])
  })
})

describe('parseSrv1', () => {
  const srv1 = (body: string) => parseSrv1(`<?xml version="1.0" encoding="utf-8" ?><transcript>${body}</transcript>`)

  test('reads times in seconds and keeps the inner of two levels of escaping', () => {
    expect(srv1('<text start="1.54" dur="4.16">it&amp;#39;s &lt;i&gt;so&lt;/i&gt;</text>')).toEqual([
      cue(1540, 4160, 'it&#39;s <i>so</i>'),
    ])
  })

  test('skips empty texts and those without a time, and accepts a missing duration', () => {
    expect(srv1('<text start="5" dur="0.5"></text><text dur="1">x</text><text start="7">kept</text>')).toEqual([
      cue(7000, 0, 'kept'),
    ])
  })
})

describe('parseVtt', () => {
  test('keeps the rows of rolling captions, including lines of white space', () => {
    const file = [
      'WEBVTT\nKind: captions\nLanguage: en\n',
      '00:00:01.000 --> 00:00:02.000 align:start position:0%\n \nwe<00:00:01.400><c> meet</c>\n',
      '00:00:02.000 --> 00:00:02.010 align:start position:0%\nwe meet\n \n',
    ].join('\n')
    expect(parseVtt(file)).toEqual([cue(1000, 1000, ' \nwe<00:00:01.400><c> meet</c>'), cue(2000, 10, 'we meet\n ')])
  })

  test('reads all kinds of line ends, cue names, and times without or with many hours', () => {
    expect(
      parseVtt('WEBVTT\r\n\r\nintro\r\n00:01.500 --> 00:02.000\r\na\r\nb\r\n\r\n100:00:00.000 --> 100:00:01.000\rc'),
    ).toEqual([cue(1500, 500, 'a\nb'), cue(360_000_000, 1000, 'c')])
  })

  test('skips notes, styles, empty cues and malformed times', () => {
    const file =
      'WEBVTT\n\nNOTE a --> b\nx\n\nSTYLE\n::cue{}\n\n00:00.000 --> 00:01.000\n\n00:xx.000 --> 00:02.000\ny\n\n00:05.000 --> 00:04.000\nkept'
    expect(parseVtt(file)).toEqual([cue(5000, 0, 'kept')])
  })

  test('reads SubRip files', () => {
    expect(parseVtt('1\n00:00:01,900 --> 00:00:02,590\nAlright,\n\n2\n00:00:04,000 --> 00:00:05,000\nwelcome')).toEqual(
      [cue(1900, 690, 'Alright,'), cue(4000, 1000, 'welcome')],
    )
  })
})

describe('parseTtml', () => {
  const ttml = (body: string, attributes = '') =>
    parseTtml(`<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" ${attributes}><body>${body}</body></tt>`)

  test.each([
    ['begin="00:00:01.5" end="00:00:03.000"', '', 1500, 1500],
    ['begin="1.5s" dur="500ms"', '', 1500, 500],
    ['begin="0.5m" end="1h"', '', 30_000, 3_570_000],
    ['begin="00:00:01:12" end="00:00:02:00"', 'ttp:frameRate="24"', 1500, 500],
    ['begin="48f" end="72f"', 'ttp:frameRate="24"', 2000, 1000],
    ['begin="15000000t" end="20000000t"', 'ttp:tickRate="10000000"', 1500, 500],
    ['begin="00:00:02"', '', 2000, 0],
    ['begin="00:00:02" end="00:00:01"', '', 2000, 0],
  ])('reads the times %s with %s', (times, attributes, startMs, durationMs) => {
    expect(ttml(`<div><p ${times}>x</p></div>`, attributes)).toEqual([cue(startMs, durationMs, 'x')])
  })

  test('joins the parts of a line, and skips those without a time or text', () => {
    const body = `<p begin="1s" end="2s">\n  one <span tts:color="red">and</span><br/>\n  two &amp; more</p>
      <p>no</p><p begin="3s" end="4s"> </p><p begin="soon" end="4s">no</p>`
    expect(ttml(body)).toEqual([cue(1000, 1000, ' one and\n two & more')])
  })

  test('reads names with a prefix', () => {
    const file = '<tt:tt xmlns:tt="http://www.w3.org/ns/ttml"><tt:p begin="1s" end="2s">x<tt:br/>y</tt:p></tt:tt>'
    expect(parseTtml(file)).toEqual([cue(1000, 1000, 'x\ny')])
  })
})

describe('parseTimedText', () => {
  test.each([
    ['json3', '{"events":[{"tStartMs":1000,"dDurationMs":500,"segs":[{"utf8":"x"}]}]}'],
    ['srv3', '\uFEFF<?xml version="1.0"?><timedtext format="3"><body><p t="1000" d="500">x</p></body></timedtext>'],
    ['srv1', '<transcript><text start="1" dur="0.5">x</text></transcript>'],
    ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:01.500\nx'],
    ['SubRip', '\uFEFF1\r\n00:00:01,000 --> 00:00:01,500\r\nx\r\n'],
    ['SubRip without numbers', '0:00:01,0 --> 0:00:01,5\nx'],
    ['TTML', '<?xml version="1.0"?><tt xml:lang="en"><body><p begin="1s" end="1.5s">x</p></body></tt>'],
    ['TTML with a prefix', '<tt:tt xml:lang="en"><tt:body><tt:p begin="1s" end="1.5s">x</tt:p></tt:body></tt:tt>'],
  ])('recognizes %s by its beginning', (_, document) => {
    expect(parseTimedText(document)).toEqual([cue(1000, 500, 'x')])
  })

  test('returns no cues for an empty document and throws for anything that is not timed text', () => {
    expect(parseTimedText(' \n')).toEqual([])
    expect(() => parseTimedText('<!DOCTYPE html><html></html>')).toThrow(SyntaxError)
    expect(() => parseTimedText('{"events":[{"tSta')).toThrow(SyntaxError)
  })
})

test.each([
  ['json3', '{"events":[', '{"segs":[{"utf8":"a"}]},', '{}]}'],
  ['srv3', '<timedtext>', '<p t="1">a</p>', ''],
  ['srv1', '<transcript>', '<text start="1">a</text>', ''],
  ['WebVTT', 'WEBVTT\n\n', '00:00.000 --> 00:01.000\na\n\n', ''],
  ['TTML', '<tt>', '<p begin="1s">a</p>', ''],
])('throws RangeError for %s with more cues than any track has', (_, start, part, end) => {
  expect(() => parseTimedText(start + part.repeat(250_000) + end)).toThrow(RangeError)
  expect(parseTimedText(start + part.repeat(1_000) + end)).toHaveLength(1_000)
})

describe('parses in linear time a hostile document', () => {
  const BODIES = [
    '<',
    '<p',
    '<p t="1"',
    '<p t="1">',
    '<s>',
    '<!--',
    '<![CDATA[',
    '</',
    '<?',
    '&',
    '&#',
    ' t="',
    '<p t=" ',
    '<p begin="1:',
    '\n',
    '-->',
    ' --> ',
    '00:',
  ]
  test.each(BODIES)('made of many %p', async (part) => {
    for (const start of [
      '<timedtext><p t="1">',
      '<timedtext><p ',
      '<transcript><text start="1">',
      '<tt><p begin="1s">',
      'WEBVTT\n\n',
    ]) {
      const parse = (repeats: number) => void parseTimedText(start + part.repeat(repeats))
      expect(await measureGrowth(parse, { small: 6_000, large: 96_000 })).toBeLessThan(6)
    }
  })
})
