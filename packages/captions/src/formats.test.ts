import { parseSrv1 } from './srv1.ts'
import { parseSrv3 } from './srv3.ts'
import { parseTimedText } from './timed-text.ts'
import { parseVtt } from './vtt.ts'

const cue = (startMs: number, durationMs: number, text: string) => ({ startMs, durationMs, text })

describe('srv3', () => {
  const srv3 = (body: string, head = '') =>
    parseSrv3(
      `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head>${head}</head><body>${body}</body></timedtext>`,
    )

  test('joins the words of a line, with the spaces they carry', () => {
    const words = '<s ac="200">to</s><s t="300" ac="180"> the</s><s t="500"> mill</s>'
    expect(srv3(`<w t="0" id="1"/><p t="120" d="2500" w="1">${words}</p>`)).toEqual([cue(120, 2500, 'to the mill')])
  })

  test('leaves out scrolling and lines without text or time', () => {
    expect(srv3('<p t="10" d="5" w="1" a="1">\n</p><p t="20" d="5"></p><p d="5">x</p>')).toEqual([])
    expect(srv3('<p t="-4" d="900">y</p>')).toEqual([{ startMs: 0, durationMs: 900, text: 'y' }])
  })

  test('keeps written line breaks and text between styled words', () => {
    expect(srv3('<p t="1" d="2" wp="1">one<br/>two <s p="1">and</s> three</p>')).toEqual([
      cue(1, 2, 'one\ntwo and three'),
    ])
  })

  test('ignores the layout of a document that was set for reading', () => {
    expect(srv3('<p t="1" d="2">\n   <s>日</s>\n   <s t="5">本</s>\n  </p>')[0]?.text.trim()).toBe('日本')
  })

  test('takes one level of escaping away', () => {
    expect(srv3('<p t="0" d="1">it&#39;s &lt;b&gt; &amp;amp; x</p>')).toEqual([cue(0, 1, "it's <b> &amp; x")])
  })

  test('reads the words below ruby text, not the readings above it', () => {
    const pens = '<pen id="1" rb="1"/><pen id="2" rb="2"/><pen id="3" rb="4"/>'
    const ruby = '<s p="1">漢字</s><s p="2">(</s><s p="3">かんじ</s><s p="2">)</s>です'
    expect(srv3(`<p t="0" d="9">${ruby}</p>`, pens)).toEqual([cue(0, 9, '漢字です')])
  })

  test('a missing duration is 0, a missing end tag ends with the next line', () => {
    expect(srv3('<p t="5">a<p t="7" d="3">b</p>')).toEqual([cue(5, 0, 'a'), cue(7, 3, 'b')])
  })

  test('comments, instructions and unescaped sections', () => {
    expect(srv3('<!-- <p t="1">no</p> --><p t="2" d="1">yes<?x y?> <![CDATA[<b>]]></p>')).toEqual([
      cue(2, 1, 'yes <b>'),
    ])
  })

  test('no entity is expanded but those of XML', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>'
    expect(parseSrv3(`${bomb}<timedtext><body><p t="1" d="1">&a;&a;</p></body></timedtext>`)).toEqual([
      cue(1, 1, '&a;&a;'),
    ])
  })
})

describe('srv1', () => {
  const srv1 = (body: string) => parseSrv1(`<?xml version="1.0" encoding="utf-8" ?><transcript>${body}</transcript>`)

  test('reads seconds, and leaves the inner of two levels of escaping', () => {
    expect(srv1('<text start="1.54" dur="4.16">it&amp;#39;s &lt;i&gt;so&lt;/i&gt;</text>')).toEqual([
      cue(1540, 4160, 'it&#39;s <i>so</i>'),
    ])
  })

  test('leaves out empty texts and those without a time; a duration may be missing', () => {
    expect(srv1('<text start="5" dur="0.5"></text><text dur="1">x</text><text start="7">kept</text>')).toEqual([
      cue(7000, 0, 'kept'),
    ])
  })
})

describe('WebVTT', () => {
  test('keeps the rows of rolling captions, lines of white space among them', () => {
    const file = [
      'WEBVTT\nKind: captions\nLanguage: en\n',
      '00:00:01.000 --> 00:00:02.000 align:start position:0%\n \nwe<00:00:01.400><c> meet</c>\n',
      '00:00:02.000 --> 00:00:02.010 align:start position:0%\nwe meet\n \n',
    ].join('\n')
    expect(parseVtt(file)).toEqual([cue(1000, 1000, ' \nwe<00:00:01.400><c> meet</c>'), cue(2000, 10, 'we meet\n ')])
  })

  test('reads any line ends, names of cues, hours that are missing or many', () => {
    expect(
      parseVtt('WEBVTT\r\n\r\nintro\r\n00:01.500 --> 00:02.000\r\na\r\nb\r\n\r\n100:00:00.000 --> 100:00:01.000\rc'),
    ).toEqual([cue(1500, 500, 'a\nb'), cue(360_000_000, 1000, 'c')])
  })

  test('leaves out notes, styles, empty cues and times that are none', () => {
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

describe('any format', () => {
  test.each([
    ['json3', '{"events":[{"tStartMs":1000,"dDurationMs":500,"segs":[{"utf8":"x"}]}]}'],
    ['srv3', '\uFEFF<?xml version="1.0"?><timedtext format="3"><body><p t="1000" d="500">x</p></body></timedtext>'],
    ['srv1', '<transcript><text start="1" dur="0.5">x</text></transcript>'],
    ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:01.500\nx'],
  ])('%s is told by its beginning', (_, document) => {
    expect(parseTimedText(document)).toEqual([cue(1000, 500, 'x')])
  })

  test('nothing is no cues, anything else no timed text', () => {
    expect(parseTimedText(' \n')).toEqual([])
    expect(() => parseTimedText('<!DOCTYPE html><html></html>')).toThrow(SyntaxError)
    expect(() => parseTimedText('{"events":[{"tSta')).toThrow(SyntaxError)
  })
})

describe('hostile documents end soon', () => {
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
    '\n',
    '-->',
    ' --> ',
    '00:',
  ]
  test.each(BODIES)('of many %p', (part) => {
    const body = part.repeat(200_000)
    const startedAt = performance.now()
    for (const start of ['<timedtext><p t="1">', '<timedtext><p ', '<transcript><text start="1">', 'WEBVTT\n\n']) {
      parseTimedText(start + body)
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
