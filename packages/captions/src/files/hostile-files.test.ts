import { readCaptionFile } from './read-caption-file.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

const TIMES = '00:01.000 --> 00:02.000\n'
const VTT = `WEBVTT\n\n${TIMES}`
const TTML = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>'

/** Documents that a reader might take quadratic time for, by the number of repeated parts. */
const HOSTILE: [string, (count: number) => string][] = [
  ['tags that are not closed', (count) => VTT + '<x'.repeat(count)],
  ['tags', (count) => VTT + '<x>'.repeat(count)],
  ['pairs of unknown tags', (count) => VTT + '<x>a</x>'.repeat(count)],
  ['voices', (count) => VTT + '<v Ana>a\n'.repeat(count)],
  ['changing voices', (count) => `${VTT}${'<v Ana>a<v Ben>b'.repeat(count)}`],
  ['angle brackets', (count) => VTT + '<'.repeat(count)],
  ['braces', (count) => VTT + '{\\'.repeat(count)],
  ['entities', (count) => VTT + '&'.repeat(count)],
  ['entities without an end', (count) => VTT + '&amp'.repeat(count)],
  ['colons', (count) => VTT + ':'.repeat(count)],
  ['names', (count) => VTT + 'Ana: a\n'.repeat(count)],
  ['arrows', (count) => `WEBVTT\n\n${'-->'.repeat(count)}`],
  ['dashes in front of an arrow', (count) => `1\n${'- '.repeat(count)}-->\n`],
  ['digits of a time', (count) => `1\n00:00:${'1'.repeat(count)} --> 00:00:02,000\na\n`],
  ['commas of a broken time', (count) => `1\n${'1,'.repeat(count)}\n`],
  ['blanks', (count) => VTT + ' '.repeat(count)],
  ['joiners', (count) => `${VTT}ا${'\u200D'.repeat(count)}`],
  ['lines of a cue', (count) => VTT + 'a\n'.repeat(count)],
  ['paragraphs of a cue of SubRip', (count) => `1\n00:00:01,000 --> 00:00:02,000\n${'a\n\n'.repeat(count)}`],
  ['comments', (count) => `WEBVTT\n\n${'NOTE\n\n'.repeat(count)}`],
  ['lines below a time', (count) => `0:01 a\n${'b\n'.repeat(count)}`],
  ['times of a line of lyrics', (count) => `${'[00:01.00]'.repeat(count)}a\n${'b\n'.repeat(count)}`],
  ['attendees of a meeting', (count) => `Attendees\n${'a,'.repeat(count)}\nTranscript\n${'b\n'.repeat(count)}`],
  ['paragraphs of TTML that are not closed', (count) => TTML + '<p begin="1s" end="2s">a'.repeat(count)],
  ['nested elements of TTML', (count) => `${TTML}<p begin="1s" end="2s">${'<span>'.repeat(count)}a`],
  ['attributes of TTML', (count) => `${TTML}<p ${'begin="1s" '.repeat(count)}>a</p>`],
  ['comments of TTML', (count) => TTML + '<!--'.repeat(count)],
  ['columns of SubStation Alpha', (count) => `[Events]\nFormat: ${'a,'.repeat(count)}\n${'x\n'.repeat(count)}`],
  [
    'rows of many columns',
    (count) => `[Events]\nFormat: ${'a,'.repeat(count)}\n${'Dialogue: 0,0:00:01.00\n'.repeat(count / 4)}`,
  ],
  [
    'overrides of SubStation Alpha',
    (count) => `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,${'{'.repeat(count)}`,
  ],
  ['elements of SAMI', (count) => `<SAMI><BODY>${'<SYNC Start=1><P>a'.repeat(count)}`],
  ['nested lists of JSON', (count) => `[{"a":${'['.repeat(count)}`],
  ['nested lists of JSON that are closed', (count) => `[{"a":${'['.repeat(count)}${']'.repeat(count)}}]`],
  ['nested objects of JSON', (count) => `${'{"data":'.repeat(count)}1${'}'.repeat(count)}`],
  ['segments of JSON', (count) => `{"segments":[${'{"start":1,"end":2,"text":"a"},'.repeat(count)}{}]}`],
  ['words of JSON', (count) => `{"words":[${'{"start":1,"end":2,"word":"a"},'.repeat(count)}{}]}`],
  ['words of one segment', (count) => `{"segments":[{"text":"a","words":[${'{"start":1},'.repeat(count)}{}]}]}`],
  ['events of JSON', (count) => `{"events":[${'{"tStartMs":1,"segs":[{"utf8":"a"}]},'.repeat(count)}{}]}`],
  ['lost characters', (count) => VTT + '\uFFFD '.repeat(count)],
]

const COUNT = 10_000
const FACTOR = 4
const MAX_GROWTH = 8
/** Below this, the clock and the collector of garbage say more than the reader. */
const MIN_MICROSECONDS = 40_000

function readOrRefuse(document: string): void {
  try {
    readCaptionFile(document)
  } catch (error) {
    if (!(error instanceof UnreadableCaptionsError)) throw error
  }
}

/** Returns the least CPU that reading took, in microseconds. */
function measure(document: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 2; run++) {
    const before = process.cpuUsage()
    readOrRefuse(document)
    // Getting memory from the system is not the reader's work.
    least = Math.min(least, process.cpuUsage(before).user)
  }
  return least
}

/** Returns how many times as long a longer document takes. A reader that takes quadratic time does so in every attempt. */
function measureGrowth(build: (count: number) => string): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && least >= MAX_GROWTH; attempt++) {
    const few = Math.max(measure(build(COUNT)), MIN_MICROSECONDS)
    least = Math.min(least, measure(build(COUNT * FACTOR)) / few)
  }
  return least
}

test.each(HOSTILE)('reads %s in time that grows like the document', (_, build) => {
  expect(measureGrowth(build)).toBeLessThan(MAX_GROWTH)
})

test.each([
  ['lines of a cue', VTT + 'a\n'.repeat(400_000), 1],
  ['lines of a voice', VTT + '<v Ana>a\n'.repeat(400_000), 1],
])('reads hundreds of thousands of %s', (_, document, segments) => {
  expect(readCaptionFile(document).cues).toHaveLength(segments)
})

test('refuses lyrics whose lines are repeated until they fill the memory', () => {
  const document = `${'[00:01.00]'.repeat(50_000)}a\n${'b\n'.repeat(200_000)}`
  expect(() => readCaptionFile(document)).toThrow(expect.objectContaining({ reason: 'too_long' }))
})

test.each([
  ['voices in one cue', `${VTT}${'<v A>b<v B>c'.repeat(100_001)}`, {}],
  ['voices that are named', `${TIMES}${'A: b\n'.repeat(250_000)}`, { speakers: ['A'] }],
])('refuses more segments than captions have: %s', (_, document, options) => {
  expect(() => readCaptionFile(document, options)).toThrow(expect.objectContaining({ reason: 'too_long' }))
})

test('leaves out of the names of speakers what cannot be stored or shown', () => {
  const segments = [
    { start: 1, end: 2, text: 'One.', speaker: 'A\u0000\uD800na\u202E' },
    { start: 2, end: 3, text: 'Two.', speaker: '\u0000' },
  ]
  const [first, second] = readCaptionFile(JSON.stringify({ segments })).cues
  expect([first?.speaker, second]).toEqual(['Ana', { startMs: 2_000, durationMs: 1_000, text: 'Two.' }])
})
