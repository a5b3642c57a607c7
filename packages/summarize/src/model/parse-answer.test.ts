import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
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
])('%s has a structure of its own', (mode, value) => {
  // With lists for the other modes, which stay empty, and without.
  const others = Object.fromEntries(SUMMARY_MODES.map((other) => [other, []]))
  for (const entry of [[WIRE[mode]], [WIRE[mode], WIRE[mode]], WIRE[mode]]) {
    expect(parseOne(answer({ ...others, [mode]: entry }), mode)).toEqual({ value })
    expect(parseOne(answer({ [mode]: entry }), mode)).toEqual({ value })
  }
})

test('together, each is read by itself: one that is wrong or missing leaves the others alone', () => {
  const lists = Object.fromEntries(SUMMARY_MODES.map((mode) => [mode, [WIRE[mode]]]))
  const parsed = parseSummaries(answer({ ...lists, detailed: [], timestamped: [{ moments: 'none' }] }), SUMMARY_MODES)
  const faults = SUMMARY_MODES.map((mode) => parsed.get(mode)).map((entry) =>
    entry && 'fault' in entry ? entry.fault : '',
  )
  expect(faults).toEqual(['', 'structure', '', 'structure', ''])
})

test.each([
  ['no JSON', 'Here is your summary:', 'json'],
  ['half of the JSON', '{"tldr":[{"sentences"', 'json'],
  ['prose around it', `Sure! ${tldr(WIRE.tldr)}`, 'json'],
  ['another shape', '{"summary":"a"}', 'structure'],
  ['none', tldr(), 'structure'],
  ['null', 'null', 'structure'],
  ['another mode', answer({ detailed: [WIRE.tldr] }), 'structure'],
  ['more than asked', tldr({ ...WIRE.tldr, html: '<p>' }), 'structure'],
  ['ids that are no numbers', tldr({ sentences: [{ text: 'a', segment_ids: ['1'] }] }), 'structure'],
  ['ids that are no whole numbers', tldr({ sentences: [point('a', 1.5)] }), 'structure'],
  ['nothing in it', tldr({ sentences: [] }), 'structure'],
  ['a sentence too many', tldr({ sentences: Array(5).fill(point('a', 1)) }), 'structure'],
  ['an essay for a sentence', tldr({ sentences: [point('a'.repeat(2_001), 1)] }), 'structure'],
  ['a list', '[]', 'structure'],
])('%s is no answer', (_, text, fault) => {
  expect(parseOne(text, 'tldr')).toEqual({ fault })
})

test.each([
  ['a fence', '```json\n', '\n```'],
  ['a fence without language', '```\n', '\n```'],
  ['a fence with blanks and line breaks', ' \r\n```json \r\n\n', '\r\n\n ``` \n'],
  ['a mark of the order of bytes', '\uFEFF', '\n'],
])('%s around it is harmless', (_, before, after) => {
  expect(parseOne(`${before}${tldr(WIRE.tldr)}${after}`, 'tldr')).toHaveProperty('value')
})

test.each([
  ['of another language', '```html\n', '\n```'],
  ['not closed', '```json\n', '\n'],
  ['not opened', '', '\n```'],
  ['with prose after it', '```json\n', '\n```\nThat is all.'],
])('a fence %s is no fence', (_, before, after) => {
  expect(parseOne(`${before}${tldr(WIRE.tldr)}${after}`, 'tldr')).toEqual({ fault: 'json' })
})

test('hostile lengths cost little', () => {
  const started = Date.now()
  for (const end of ['x', '```', '\n```']) {
    expect(parseNotes(`\`\`\`${'\n'.repeat(1_000_000)}${end}`)).toEqual({ fault: 'json' })
    expect(parseNotes(`\`\`\`json${' \n'.repeat(500_000)}${end}`)).toEqual({ fault: 'json' })
  }
  expect(Date.now() - started).toBeLessThan(10_000)
})

test('notes', () => {
  expect(parseNotes('{"notes":[{"text":"a","segment_ids":[1]}]}')).toEqual({ value: [{ text: 'a', segmentIds: [1] }] })
  expect(parseNotes('{"notes":[{"text":"a"}]}')).toEqual({ fault: 'structure' })
  expect(parseNotes('notes')).toEqual({ fault: 'json' })
})
