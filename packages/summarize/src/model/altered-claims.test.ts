import { listPoints, type SummaryMode } from '@subtext/contracts'
import { newSource } from '../testing/source.ts'
import { createModelSummarizer } from './model-summarizer.ts'

const LINES = [
  'Third quarter revenue rose 2.5 percent to 452.2 million dollars.',
  'The drug did not reduce mortality in the trial of 1,200 patients.',
  'We lowered our free cash flow outlook to between 30 and 40 million.',
  "So the board rejected the merger with Aaron's.",
  'Alice Moreau sued Robert Klein over the patent.',
].map((text, index) => ({ startMs: index * 4_000, durationMs: 3_900, text }))
const USAGE = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0 }

interface Sentence {
  text: string
  segment_ids: number[]
}

/** Returns what is shown of an answer of a model, and its quality; null if nothing is. */
async function show(mode: SummaryMode, entry: unknown) {
  const complete = async () => ({ text: JSON.stringify({ [mode]: [entry] }), stop: 'complete' as const, usage: USAGE })
  const shown: { texts: string[]; headings: string[]; unsupported: number }[] = []
  await createModelSummarizer({ model: 'm', complete }).summarize(newSource(LINES, { title: 'A call' }), [mode], {
    signal: new AbortController().signal,
    onSpending: async () => {},
    onSummary: async ({ content, quality }) =>
      void shown.push({
        texts: listPoints(content).map(({ text }) => text),
        headings: content.sections.map(({ heading }) => heading),
        unsupported: quality?.unsupportedClaims ?? 0,
      }),
  })
  return shown[0] ?? null
}

const TRUE: Sentence[] = [
  { text: 'Revenue in the third quarter rose 2.5 percent to 452.2 million dollars.', segment_ids: [1] },
  { text: 'The drug did not reduce mortality in a trial of 1,200 patients.', segment_ids: [2] },
  { text: "The board rejected the merger with Aaron's.", segment_ids: [4] },
]
const FALSE: [what: string, claim: Sentence][] = [
  [
    'altered numbers',
    { text: 'Revenue rose 25 percent to 4.5 billion dollars in the third quarter.', segment_ids: [1] },
  ],
  ['another unit', { text: 'Revenue rose 2.5 percent to 452.2 million euros.', segment_ids: [1] }],
  [
    'another quarter',
    { text: 'Revenue rose 2.5 percent to 452.2 million dollars in the fourth quarter.', segment_ids: [1] },
  ],
  ['a rounded number', { text: 'Revenue rose to about 450 million dollars in the third quarter.', segment_ids: [1] }],
  [
    'the opposite',
    { text: 'Revenue in the third quarter fell 2.5 percent to 452.2 million dollars.', segment_ids: [1] },
  ],
  ['no negation', { text: 'The drug reduced mortality in the trial of 1,200 patients.', segment_ids: [2] }],
  ['another size', { text: 'The drug did not reduce mortality in a trial of 12,000 patients.', segment_ids: [2] }],
  ['approval for a rejection', { text: "The board approved the merger with Aaron's.", segment_ids: [4] }],
  ['another name', { text: 'The board rejected the merger with Apple.', segment_ids: [4] }],
  ['exchanged roles', { text: 'Robert Klein sued Alice Moreau over the patent.', segment_ids: [5] }],
  ['an invented negation', { text: "The board has not rejected the merger with Aaron's.", segment_ids: [4] }],
]

test('shows claims that their lines carry', async () => {
  expect(await show('tldr', { sentences: TRUE })).toMatchObject({
    texts: TRUE.map(({ text }) => text),
    unsupported: 0,
  })
})

test.each(FALSE)('leaves out and counts a claim with %s', async (_, claim) => {
  expect(await show('tldr', { sentences: [...TRUE, claim] })).toMatchObject({
    texts: TRUE.map(({ text }) => text),
    unsupported: 1,
  })
})

test('leaves out a key term and an answer that their lines do not carry', async () => {
  const entry = {
    overview: TRUE,
    concepts: [{ heading: 'Results of the third quarter', points: TRUE }],
    terms: {
      heading: 'Terms',
      entries: [{ term: 'Outlook', meaning: 'free cash flow of 300 to 400 million', segment_ids: [3] }],
    },
    questions: {
      heading: 'Questions',
      entries: [
        { question: 'Did the board reject the merger?', answer: 'No, it approved the merger.', segment_ids: [4] },
      ],
    },
  }
  const shown = await show('study_notes', entry)
  expect(shown?.texts).toEqual([...TRUE, ...TRUE].map(({ text }) => text))
  expect(shown).toMatchObject({ headings: ['Results of the third quarter'], unsupported: 2 })
})

test.each([
  ['a name that nobody says', 'The merger with Apple'],
  ['a name in a title in capitals', 'Merger With Apple'],
  ['a number that nobody says', 'The trial of 12,000 patients'],
  ['the opposite', 'How the board approved the merger'],
])('gives a section a neutral heading in place of one with %s', async (_, heading) => {
  const entry = { overview: TRUE, sections: [{ heading, points: TRUE }] }
  const shown = await show('detailed', entry)
  expect(shown).toMatchObject({ unsupported: 1 })
  expect(shown?.headings).not.toContain(heading)
})
