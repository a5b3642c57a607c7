import { SUMMARY_MODES, type SummaryContent } from '@subtext/contracts'
import { buildCitations, selectCitedSegments } from './citations.ts'
import { renderSummaryMarkdown, renderSummaryText } from './summary.ts'
import { sampleContent, sampleStarts } from './testing/sample-result.ts'

const target = { place: 'dQw4w9WgXcQ', startOf: (id: number) => sampleStarts.get(id) }
const WATCH = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

const OVERVIEW = `Glaciers store water. [1:05](${WATCH}&t=65s) They shrink. [0:00](${WATCH}&t=0s)`

const SECTIONS = `## Why it matters

- Rivers start there [1:02:03](${WATCH}&t=3723s)
- Nobody said this

## Measures

- Stakes show the melt [0:00](${WATCH}&t=0s)`

const point = (text: string, ...segmentIds: number[]) => ({ text, segmentIds })

test.each([
  [
    'tldr',
    `${OVERVIEW} Rivers start there [1:02:03](${WATCH}&t=3723s) Nobody said this Stakes show the melt [0:00](${WATCH}&t=0s)`,
  ],
  ['detailed', `${OVERVIEW}\n\n${SECTIONS}`],
  ['study_notes', `${OVERVIEW}\n\n${SECTIONS}`],
  [
    'timestamped',
    `${OVERVIEW}

- [0:00](${WATCH}&t=0s) Stakes show the melt
- [1:02:03](${WATCH}&t=3723s) Rivers start there
- Nobody said this`,
  ],
  [
    'key_insights',
    `1. Glaciers store water. [1:05](${WATCH}&t=65s)\n2. They shrink. [0:00](${WATCH}&t=0s)\n\n${SECTIONS}`,
  ],
] as const)('writes %s as Markdown', (mode, markdown) => {
  expect(renderSummaryMarkdown(mode, sampleContent, target)).toBe(markdown)
})

test.each([
  ['detailed', 'Glaciers store water. They shrink.\n\nWhy it matters\n\n- Rivers start there\n- Nobody said this'],
  ['timestamped', 'Glaciers store water. They shrink.\n\n- 0:00 Stakes show the melt\n- 1:02:03 Rivers start there'],
  ['key_insights', '1. Glaciers store water.\n2. They shrink.\n\nWhy it matters\n\n- Rivers start there'],
] as const)('writes %s as plain text', (mode, text) => {
  expect(renderSummaryText(mode, sampleContent, target).startsWith(text)).toBe(true)
})

test('writes a timeline without sections as a list, with leading points without a time first', () => {
  const content = { overview: [point('a'), point('b'), point('c', 3), point('d'), point('e', 2)], sections: [] }
  expect(renderSummaryText('timestamped', content, target)).toBe('- a\n- b\n- 1:05 e\n- 1:02:03 c\n- d')
})

test.each([
  [3_000, '- 0:00 a\n- 1:30 b'],
  [45_000, '- 0:45 a\n- 1:30 b'],
])('begins a timeline at 0:00 if its first line follows %d ms of music, as chapters have to', (startMs, text) => {
  const content = { overview: [], sections: [{ heading: '', points: [point('a', 1), point('b', 2)] }] }
  const startOf = (id: number) => (id === 1 ? startMs : 90_000)
  expect(renderSummaryText('timestamped', content, { ...target, startOf })).toBe(text)
})

test('shows where each passage begins that a claim rests on, three at most', () => {
  const claim = (...segmentIds: number[]) => ({ overview: [{ text: 'Ice moves.', segmentIds }], sections: [] })
  const everySecond = { place: 'dQw4w9WgXcQ', startOf: (id: number) => (id < 20 ? id * 1_000 : undefined) }
  const clocksOf = (...ids: number[]) =>
    [...renderSummaryMarkdown('tldr', claim(...ids), everySecond).matchAll(/\[(.*?)\]/g)].map(([, clock]) => clock)
  expect(clocksOf(7, 5, 6, 5)).toEqual(['0:05'])
  expect(clocksOf(11, 3, 4, 12)).toEqual(['0:03', '0:11'])
  expect(clocksOf(1, 3, 5, 7, 9)).toEqual(['0:01', '0:03', '0:05'])
  expect(clocksOf(2, 30)).toEqual(['0:02'])
  expect(clocksOf()).toEqual([])
})

test('joins Chinese points without spaces', () => {
  const content = { overview: ['冰很老。', '它会融化。'].map((text) => ({ text, segmentIds: [] })), sections: [] }
  expect(renderSummaryMarkdown('tldr', content, target)).toBe('冰很老。它会融化。')
})

test('escapes hostile texts, even across two points', () => {
  const content: SummaryContent = {
    overview: [
      { text: '# *a\n\n- b', segmentIds: [] },
      { text: 'c* ![x](http://evil.example)', segmentIds: [] },
      { text: ' \n ', segmentIds: [] },
    ],
    sections: [{ heading: 'A\n# B #', points: [{ text: '---', segmentIds: [] }] }],
  }
  expect(renderSummaryMarkdown('detailed', content, target)).toBe(
    '\\# \\*a - b c\\* !\\[x\\](http:\\//evil.example)\n\n## A # B \\#\n\n- \\---',
  )
})

test.each(SUMMARY_MODES)('writes an empty %s as an empty text', (mode) => {
  expect(renderSummaryMarkdown(mode, { overview: [], sections: [{ heading: ' ', points: [] }] }, target)).toBe('')
})

test('lists each citation once, in the order of the video, and only of segments that exist', () => {
  expect(selectCitedSegments([sampleContent, sampleContent])).toEqual([1, 2, 3, 99])
  expect(buildCitations(sampleContent, target)).toEqual([
    { segment_id: 1, start: 0, url: `${WATCH}&t=0s` },
    { segment_id: 2, start: 65.25, url: `${WATCH}&t=65s` },
    { segment_id: 3, start: 3723, url: `${WATCH}&t=3723s` },
  ])
})
