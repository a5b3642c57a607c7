import { parseJson3 } from './json3.ts'

const parse = (document: unknown) => parseJson3(JSON.stringify(document))

describe('parseJson3', () => {
  test('joins the words of an event and keeps its times', () => {
    const events = [
      { tStartMs: 0, dDurationMs: 9000, id: 1, wpWinPosId: 1 },
      { tStartMs: 120, dDurationMs: 4000, wWinId: 1, segs: [{ utf8: 'bread' }, { utf8: ' needs', tOffsetMs: 400 }] },
      { tStartMs: 2000, dDurationMs: 10, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
      { tStartMs: 2010, segs: [{ utf8: 'two\nlines' }] },
    ]
    expect(parse({ wireMagic: 'pb3', events })).toEqual([
      { startMs: 120, durationMs: 4000, text: 'bread needs', pauses: [] },
      { startMs: 2010, durationMs: 0, text: 'two\nlines' },
    ])
  })

  test.each([
    ['a flag', [{ utf8: 'tea' }, { utf8: ' yes', isSpeakerChange: 1 }, { utf8: ' very' }], 'tea\n>>  yes very'],
    ['a flag beside a mark', [{ utf8: '>>', isSpeakerChange: 1 }, { utf8: ' yes' }], '\n>> yes'],
    ['a flag beside an escaped mark', [{ utf8: '&gt;&gt; yes', isSpeakerChange: true }], '\n&gt;&gt; yes'],
    [
      'a flag that is not set',
      [
        { utf8: 'tea', isSpeakerChange: 0 },
        { isSpeakerChange: false, utf8: '!' },
      ],
      'tea!',
    ],
  ])('begins a line where the speaker changes by %s', (_, segs, text) => {
    expect(parse({ events: [{ tStartMs: 1, segs }] })).toEqual([{ startMs: 1, durationMs: 0, text }])
  })

  test('reads times written as strings', () => {
    expect(parse({ events: [{ tStartMs: '1500', dDurationMs: '20.4', segs: [{ utf8: 'x' }] }] })).toEqual([
      { startMs: 1500, durationMs: 20, text: 'x' },
    ])
  })

  test.each([
    ['no time', {}],
    ['a time before the video', { tStartMs: -40 }],
  ])('starts an event with %s at 0', (_, times) => {
    expect(parse({ events: [{ ...times, dDurationMs: 900, segs: [{ utf8: 'x' }] }] })).toEqual([
      { startMs: 0, durationMs: 900, text: 'x' },
    ])
  })

  test.each([
    ['an empty body', ''],
    ['a blank body', ' \n'],
    ['a document without events', '{"wireMagic":"pb3"}'],
    ['no events', '{"events":[]}'],
    ['events of another type', '{"events":{"length":3}}'],
    ['an array', '[1,2]'],
    ['null', 'null'],
  ])('returns no cues for %s', (_, text) => {
    expect(parseJson3(text)).toEqual([])
  })

  test.each([
    ['a time beyond any video', { tStartMs: 1e15, segs: [{ utf8: 'x' }] }],
    ['a time that is not a number', { tStartMs: 'NaN', segs: [{ utf8: 'x' }] }],
    ['text of another type', { tStartMs: 1, segs: [{ utf8: 5 }, null, 'x'] }],
    ['segments of another type', { tStartMs: 1, segs: 'x' }],
    ['null', null],
  ])('skips an event with %s', (_, event) => {
    expect(parse({ events: [event, { tStartMs: 7, segs: [{ utf8: 'kept' }] }] })).toEqual([
      { startMs: 7, durationMs: 0, text: 'kept' },
    ])
  })

  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['closed brackets', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['objects within the events', `{"events":${'[{"segs":'.repeat(500_000)}`],
    ['brackets beside the events', `{"events":[],"pens":${'['.repeat(1_000_000)}`],
  ])('throws RangeError for nested %s, without parsing them', (_, text) => {
    expect(() => parseJson3(text)).toThrow(RangeError)
  })

  test.each([
    ['event', `{"events":[{"segs":[${'{},'.repeat(500_000)}{}]}]}`],
    ['other member', `{"pens":[${'{},'.repeat(500_000)}{}],"events":[]}`],
    ['document of another kind', `[${'{},'.repeat(500_000)}{}]`],
  ])('throws RangeError for an %s that is too large', (_, text) => {
    expect(() => parseJson3(text)).toThrow(RangeError)
  })

  test.each(['[1}', '[1,]', '[,1]', '[1 2]', '[1]]', '[1],', '[{"segs":[}]', '[1'])(
    'throws SyntaxError for the malformed events %j',
    (events) => {
      expect(() => parseJson3(`{"wireMagic":"pb3","events":${events}}`)).toThrow(SyntaxError)
    },
  )

  test('reads events wherever they are in the document', () => {
    const events = [{ segs: [{ utf8: '"events":[' }] }, { segs: [{ utf8: 'b' }] }]
    const pens = [{ events: [{ segs: [{ utf8: 'no' }] }] }]
    const texts = (document: unknown) => parse(document).map(({ text }) => text)
    expect(texts({ a: 'events', pens, events, more: [1, [2]] })).toEqual(['"events":[', 'b'])
    expect(parseJson3(' { "events" : [ {"segs":[{"utf8":"x"}]} , null ] } ')).toHaveLength(1)
    expect(parseJson3('{"events":[ ]}')).toEqual([])
  })

  test('accepts brackets within texts', () => {
    const text = `${'['.repeat(1_000)}"\\${'{'.repeat(1_000)}`
    expect(parse({ events: [{ tStartMs: 1, segs: [{ utf8: text }] }] })).toEqual([{ startMs: 1, durationMs: 0, text }])
  })

  test('throws SyntaxError for a truncated document', () => {
    expect(() => parseJson3('{"events":[{"tStartMs":1,"segs":[{"utf8":"a')).toThrow(SyntaxError)
  })
})
