import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { measureGrowth } from '@subtext/runtime/testing'
import { parseNotes, parseSummaries } from './parse-answer.ts'

const point = (text: string, ...segment_ids: number[]) => ({ text, segment_ids })
const claim = (text: string, ...segmentIds: number[]) => expect.objectContaining({ text, segmentIds })
const headed = (heading: string, ...points: unknown[]) => ({ heading, points })

const WIRE: Record<SummaryMode, object> = {
  tldr: { sentences: [point('One.', 3, 1)] },
  detailed: { overview: [point('One.', 1)], sections: [headed('H', point('Two.', 2))] },
  study_notes: {
    overview: [],
    concepts: [headed('H', point('Two.', 2))],
    terms: { heading: 'Words', entries: [{ term: 'Tide', meaning: 'Rise and fall.', segment_ids: [3] }] },
    questions: { heading: 'Test', entries: [{ question: 'Why?', answer: 'The moon.', segment_ids: [4] }] },
  },
  timestamped: { moments: [point('First.', 1), point('Then.', 5)] },
  key_insights: {
    claim: point('All.', 1),
    takeaways: headed('Learnt', point('Two.', 2)),
    actions: { heading: 'Do', points: [] },
  },
}
const answer = (answers: Partial<Record<SummaryMode, unknown>>) => JSON.stringify(answers)
const tldr = (...entries: unknown[]) => answer({ tldr: entries })
const parseOne = (text: string, mode: SummaryMode) => parseSummaries(text, [mode]).get(mode)

test.each<[SummaryMode, object]>([
  ['tldr', { overview: [claim('One.', 3, 1)], sections: [] }],
  ['detailed', { overview: [claim('One.', 1)], sections: [headed('H', claim('Two.', 2))] }],
  [
    'study_notes',
    {
      overview: [],
      sections: [
        headed('H', claim('Two.', 2)),
        expect.objectContaining(headed('Words', claim('Tide: Rise and fall.', 3))),
        expect.objectContaining(headed('Test', claim('Why? The moon.', 4))),
      ],
    },
  ],
  ['timestamped', { overview: [], sections: [headed('', claim('First.', 1), claim('Then.', 5))] }],
  [
    'key_insights',
    {
      overview: [claim('All.', 1)],
      sections: [
        { ...headed('Learnt', claim('Two.', 2)), role: 'takeaways' },
        { ...headed('Do'), role: 'actions' },
      ],
    },
  ],
])('parses the structure of %s', (mode, value) => {
  // With empty lists for the other modes, and without them.
  const others = Object.fromEntries(SUMMARY_MODES.map((other) => [other, []]))
  for (const entry of [[WIRE[mode]], [WIRE[mode], WIRE[mode]], WIRE[mode]]) {
    expect(parseOne(answer({ ...others, [mode]: entry }), mode)).toEqual({ value })
    expect(parseOne(answer({ [mode]: entry }), mode)).toEqual({ value })
  }
})

test('parses each of several summaries by itself, so that a malformed or missing one does not affect the others', async () => {
  const lists = Object.fromEntries(SUMMARY_MODES.map((mode) => [mode, [WIRE[mode]]]))
  const parsed = parseSummaries(answer({ ...lists, detailed: [], timestamped: [{ moments: 'none' }] }), SUMMARY_MODES)
  const faults = SUMMARY_MODES.map((mode) => parsed.get(mode)).map((entry) =>
    entry && 'fault' in entry ? entry.fault : '',
  )
  expect(faults).toEqual(['', 'structure', '', 'structure', ''])
})

test.each([
  ['no JSON', 'Here is your summary:', 'json'],
  ['truncated JSON', '{"tldr":[{"sentences"', 'json'],
  ['prose around it', `Sure! ${tldr(WIRE.tldr)}`, 'json'],
  ['another structure', '{"summary":"a"}', 'structure'],
  ['no summary', tldr(), 'structure'],
  ['null', 'null', 'structure'],
  ['another mode', answer({ detailed: [WIRE.tldr] }), 'structure'],
  ['unknown properties', tldr({ ...WIRE.tldr, html: '<p>' }), 'structure'],
  ['ids that are not numbers', tldr({ sentences: [{ text: 'a', segment_ids: ['1'] }] }), 'structure'],
  ['ids that are not integers', tldr({ sentences: [point('a', 1.5)] }), 'structure'],
  ['an empty summary', tldr({ sentences: [] }), 'structure'],
  ['a sentence too many', tldr({ sentences: Array(5).fill(point('a', 1)) }), 'structure'],
  ['an essay for a sentence', tldr({ sentences: [point('a'.repeat(2_001), 1)] }), 'structure'],
  ['a list', '[]', 'structure'],
])('rejects %s', (_, text, fault) => {
  expect(parseOne(text, 'tldr')).toEqual({ fault })
})

test.each([
  ['a fence', '```json\n', '\n```'],
  ['a fence without language', '```\n', '\n```'],
  ['a fence with spaces and line breaks', ' \r\n```json \r\n\n', '\r\n\n ``` \n'],
  ['a byte order mark', '\uFEFF', '\n'],
])('accepts an answer with %s', (_, before, after) => {
  expect(parseOne(`${before}${tldr(WIRE.tldr)}${after}`, 'tldr')).toHaveProperty('value')
})

test.each([
  ['for another language', '```html\n', '\n```'],
  ['that is not closed', '```json\n', '\n'],
  ['that is not opened', '', '\n```'],
  ['followed by prose', '```json\n', '\n```\nThat is all.'],
])('rejects an answer in a fence %s', (_, before, after) => {
  expect(parseOne(`${before}${tldr(WIRE.tldr)}${after}`, 'tldr')).toEqual({ fault: 'json' })
})

test.each(['x', '```', '\n```'])('takes time in proportion to the length of a fence that ends with %j', async (end) => {
  const parse = (length: number) => {
    expect(parseNotes(`\`\`\`${'\n'.repeat(length)}${end}`)).toEqual({ fault: 'json' })
    expect(parseNotes(`\`\`\`json${' \n'.repeat(length / 2)}${end}`)).toEqual({ fault: 'json' })
  }
  expect(await measureGrowth(parse, { small: 125_000, large: 1_000_000 })).toBeLessThan(3)
})

test('parses notes', () => {
  expect(parseNotes('{"notes":[{"text":"a","segment_ids":[1]}]}')).toEqual({ value: [{ text: 'a', segmentIds: [1] }] })
  expect(parseNotes('{"notes":[{"text":"a"}]}')).toEqual({ fault: 'structure' })
  expect(parseNotes('notes')).toEqual({ fault: 'json' })
})
