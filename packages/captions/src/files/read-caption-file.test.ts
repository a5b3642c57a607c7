import { readCaptionFile } from './read-caption-file.ts'

const spoken = (captions: string | Uint8Array, options = {}) =>
  readCaptionFile(captions, options).cues.map(({ startMs, durationMs, text, speaker }) => [
    startMs,
    durationMs,
    text,
    ...(speaker === undefined ? [] : [speaker]),
  ])

const srt = (...texts: string[]): string =>
  texts.map((text, nth) => `${nth + 1}\n00:00:0${nth},000 --> 00:00:0${nth + 1},000\n${text}\n`).join('\n')
const linesOf = (...texts: string[]) => texts.map((text, nth) => [nth * 1_000, 1_000, text])

describe('cues of SubRip and WebVTT', () => {
  test('may lack the blank line between them, and their numbers', () => {
    const captions =
      '1\n00:00:00,000 --> 00:00:01,000\nOne.\n2\n00:00:01,000 --> 00:00:02,000\nTwo.\n00:00:02,000 --> 00:00:03,000\nThree.'
    expect(spoken(captions)).toEqual(linesOf('One.', 'Two.', 'Three.'))
  })

  test('may consist of a number, as in a countdown', () => {
    expect(spoken(srt('3', '2', '1'))).toEqual(linesOf('3', '2', '1'))
  })

  test('keep what follows a stray blank line in SubRip', () => {
    expect(spoken(srt('One\n\nand a half.', 'Two.'))).toEqual(linesOf('One and a half.', 'Two.'))
  })

  test('may begin after more than 99 hours or before 0, and have commas or points', () => {
    const captions = '1\n-00:00:01,500 --> 00:00:01.000\nEarly.\n\n2\n123:00:00.000 --> 123:00:01,5\nLate.\n'
    expect(spoken(captions)).toEqual([
      [0, 1_000, 'Early.'],
      [442_800_000, 1_500, 'Late.'],
    ])
  })

  test('are put in the order of their starts', () => {
    const captions = 'WEBVTT\n\n00:05.000 --> 00:06.000\nLater.\n\n00:01.000 --> 00:02.000\nEarlier.\n'
    expect(spoken(captions).map(([start]) => start)).toEqual([1_000, 5_000])
  })

  test('lose tags, positions and entities, but no words between angle brackets', () => {
    expect(spoken(srt('{\\an8}<i>Use</i> List<Item> &amp; &lt;b&gt;, 2<3'))).toEqual(
      linesOf('Use List<Item> & <b>, 2<3'),
    )
  })

  test('keep sounds and repeated lines', () => {
    expect(spoken(srt('[Music]', 'La la.', 'La la.'))).toEqual(linesOf('[Music]', 'La la.', 'La la.'))
  })
})

describe('speakers', () => {
  test('are the voices of WebVTT, and two voices in one cue are two segments', () => {
    const captions = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v.loud Ana Torres>Hello.</v>\n<v Ben>Hi.\n'
    expect(spoken(captions)).toEqual([
      [0, 2_000, 'Hello.', 'Ana Torres'],
      [0, 2_000, 'Hi.', 'Ben'],
    ])
  })

  const talk = ['Ana: a.', 'Ben: b.', 'Ana: c.', 'Ben: d.', '- Ana: e.\n- Ben: f.', 'No name.', 'Note: once.']

  test('are names before a colon if two names begin three cues each', () => {
    expect(spoken(srt(...talk, 'Ben: g.')).map(([, , text, speaker]) => [speaker, text])).toEqual([
      ['Ana', 'a.'],
      ['Ben', 'b.'],
      ['Ana', 'c.'],
      ['Ben', 'd.'],
      ['Ana', 'e.'],
      ['Ben', 'f.'],
      [undefined, 'No name.'],
      [undefined, 'Note: once.'],
      ['Ben', 'g.'],
    ])
  })

  test('are not names of which one begins fewer cues', () => {
    expect(spoken(srt(...talk)).every((cue) => cue.length === 3)).toBe(true)
  })

  test('are names that the caller lists', () => {
    expect(spoken(srt('Ana: a.', 'Ben: b.'), { speakers: ['Ana'] })).toEqual([
      [0, 1_000, 'a.', 'Ana'],
      [1_000, 1_000, 'Ben: b.'],
    ])
  })

  test('are neither clock times nor addresses', () => {
    const texts = [
      '10:30 it is.',
      'https://a.example',
      '12:45 now.',
      '10:30 b.',
      'https://b.example',
      'https://c.example',
      '10:30 c.',
    ]
    expect(spoken(srt(...texts)).every((cue) => cue.length === 3)).toBe(true)
  })

  test('of JSON are its strings as they are written', () => {
    const segments = [
      { start: 0, end: 1.5, text: ' One.', speaker: 'SPEAKER_00' },
      { start: 1.5, end: 2, text: ' Two.' },
    ]
    expect(spoken(JSON.stringify({ segments }))).toEqual([
      [0, 1_500, 'One.', 'SPEAKER_00'],
      [1_500, 500, 'Two.'],
    ])
  })

  test('of a podcast are those of its segments', () => {
    const segments = [{ speaker: 'Ana', startTime: 0.5, endTime: 0.75, body: 'Hello' }]
    expect(spoken(JSON.stringify({ version: '1.0.0', segments }))).toEqual([[500, 250, 'Hello', 'Ana']])
  })
})

describe('text with times', () => {
  test('has times at the start of lines or on their own, and a segment ends where the next begins', () => {
    expect(spoken('A title\n0:01\nOne.\nMore.\n[0:04] Two at 14:30.\n00:00:09 - 00:00:10 Three.')).toEqual([
      [1_000, 3_000, 'One. More.'],
      [4_000, 5_000, 'Two at 14:30.'],
      [9_000, 1_000, 'Three.'],
    ])
  })

  test('gets no invented time for its last line', () => {
    expect(spoken('0:01 One.\n0:02 Two.').at(-1)).toEqual([2_000, 0, 'Two.'])
  })
})

describe('encodings', () => {
  test.each([
    ['utf-16le', Buffer.from(srt('Привет, мир!'), 'utf16le')],
    ['utf-16be', Buffer.from(`\uFEFF${srt('Привет, мир!')}`, 'utf16le').swap16()],
    ['utf-8', Buffer.from(`\uFEFF${srt('Привет, мир!')}`)],
    [
      'windows-1251',
      Buffer.from(
        [...srt('*')].flatMap((char) =>
          char === '*'
            ? [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0, 0x21]
            : [char.charCodeAt(0)],
        ),
      ),
    ],
  ])('%s is recognized', (encoding, bytes) => {
    expect(spoken(bytes)).toEqual(linesOf('Привет, мир!'))
    expect(readCaptionFile(bytes).encoding).toBe(encoding)
  })

  test('a character that was cut off at the end of a file is left out', () => {
    expect(spoken(Buffer.from(srt('Привет')).subarray(0, -2))).toEqual(linesOf('Приве'))
  })
})

describe('what cannot be read', () => {
  test.each([
    ['empty', '', undefined],
    ['empty', '1\n00:00:00,000 --> 00:00:01,000\n\n', undefined],
    ['no_times', 'Only words.', undefined],
    ['no_times', JSON.stringify({ segments: [{ text: 'Only words.' }] }), undefined],
    ['unknown_format', '<!doctype html><p>Not found</p>', 1],
    ['unknown_format', '{"segments": [\n{"start": 1,}]}', 2],
    ['unknown_format', '{12}{34}Frames.', 1],
    ['unknown_format', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 4, 5, 6]), 1],
    ['unknown_format', '%PDF-1.4\n0:01 Hello.', 1],
    ['unknown_format', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 0xff, 0xc3, 4, 5, 6, 0x81, 0x8d]), 1],
    ['unknown_format', '{\\rtf1 Title\n0:01 Hello.\\par', 1],
    ['encoding', srt('One.', 'caf\uFFFD'), 7],
    ['encoding', Buffer.concat([Buffer.from(srt('größer, länger, schöner')), Buffer.from([0xff, 0xc3])]), 3],
  ] as const)('is refused as %s', (reason, captions, line) => {
    expect(() => readCaptionFile(captions)).toThrow(
      expect.objectContaining({ name: 'UnreadableCaptionsError', reason, line }),
    )
  })

  test('is refused as too long above 100,000 cues', () => {
    const captions = Array.from({ length: 100_001 }, () => '0:01 a').join('\n')
    expect(() => readCaptionFile(captions)).toThrow(expect.objectContaining({ reason: 'too_long', line: 100_001 }))
    const cue = '00:00:01,000 --> 00:00:02,000\na\n\n'
    expect(() => readCaptionFile(cue.repeat(100_001))).toThrow(expect.objectContaining({ reason: 'too_long' }))
    expect(readCaptionFile(cue.repeat(100_000)).cues).toHaveLength(100_000)
  })

  test.each([
    ['json', srt('One.')],
    ['ttml', srt('One.')],
    ['vtt', srt('One.')],
    ['text', srt('One.')],
    ['sbv', srt('One.')],
    ['srt', `WEBVTT\n\n${srt('One.').replaceAll(',', '.')}`],
    ['srt', '0:00:01.000,0:00:02.000\nOne.'],
    ['text', '0:00:01.000,0:00:02.000\nOne.'],
  ] as const)('includes a file in another format than the named %s', (format, captions) => {
    expect(() => readCaptionFile(captions, { format })).toThrow(expect.objectContaining({ reason: 'unknown_format' }))
  })

  test('does not include a file of the named format without its beginning', () => {
    expect(readCaptionFile(srt('One.').replaceAll(',', '.'), { format: 'vtt' }).cues).toHaveLength(1)
  })
})
