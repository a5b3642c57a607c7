import type { Cue } from '@subtext/contracts'
import { cleanCues } from '../cleaning/clean-cues.ts'
import { parseJson3 } from './json3.ts'
import { parseSrv3 } from './srv3.ts'

interface TimedLine {
  startMs: number
  words: readonly (readonly [text: string, offsetMs: number])[]
}

/** A silence of about a second after "now", and one before the second line. */
const LINES: TimedLine[] = [
  {
    startMs: 1_000,
    words: [
      ['we', 0],
      ['stop', 200],
      ['now', 520],
      ['the', 1_800],
      ['boat', 2_000],
    ],
  },
  {
    startMs: 5_000,
    words: [
      ['leaks', 0],
      ['again', 400],
    ],
  },
]

const asJson3 = (lines: readonly TimedLine[]): Cue[] =>
  parseJson3(
    JSON.stringify({
      events: lines.map(({ startMs, words }) => ({
        tStartMs: startMs,
        dDurationMs: 3_000,
        segs: words.map(([text, offset]) =>
          offset === 0 ? { utf8: text, acAsrConf: 0 } : { utf8: ` ${text}`, tOffsetMs: offset, acAsrConf: 0 },
        ),
      })),
    }),
  )

const asSrv3 = (lines: readonly TimedLine[]): Cue[] =>
  parseSrv3(
    `<timedtext format="3"><body>${lines
      .map(
        ({ startMs, words }) =>
          `<p t="${startMs}" d="3000" w="1">${words
            .map(([text, offset]) => (offset === 0 ? `<s ac="0">${text}</s>` : `<s t="${offset}" ac="0"> ${text}</s>`))
            .join('')}</p>`,
      )
      .join('')}</body></timedtext>`,
  )

test.each([
  ['json3', asJson3],
  ['srv3', asSrv3],
])('finds the silences between words whose times %s tells', (_, parse) => {
  expect(parse(LINES).map(({ text, pauses }) => [text, pauses])).toEqual([
    ['we stop now the boat', [[3, 1_020]]],
    ['leaks again', [[0, 1_680]]],
  ])
})

test('reads the times of an event that is written in another order as well', () => {
  const event = {
    segs: [
      { tOffsetMs: 0, utf8: 'go' },
      { tOffsetMs: '1500', utf8: ' on' },
    ],
    tStartMs: 100,
  }
  expect(parseJson3(JSON.stringify({ events: [event] }))).toEqual([
    { startMs: 100, durationMs: 0, text: 'go on', pauses: [[1, 1_300]] },
  ])
})

test('says nothing about silences where only lines have times', () => {
  const lines = ['The boat leaks again.', 'Nobody repairs it.'].map((text, i) => ({
    startMs: i * 9_000,
    words: [[text, 0] as const],
  }))
  for (const { pauses } of [...asJson3(lines), ...asSrv3(lines)]) expect(pauses).toBeUndefined()
})

test('keeps the silences of a line from which nothing is removed', () => {
  const cues = asJson3([
    ...LINES,
    {
      startMs: 9_000,
      words: [
        ['[Music]', 0],
        ['and', 900],
        ['on', 2_000],
      ],
    },
  ])
  expect(cleanCues(cues, 'auto').cues.map(({ text, pauses }) => [text, pauses])).toEqual([
    ['we stop now the boat', [[3, 1_020]]],
    ['leaks again', [[0, 1_680]]],
    ['and on', undefined],
  ])
})
