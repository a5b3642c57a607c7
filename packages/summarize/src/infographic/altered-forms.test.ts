import { checkForm } from './check-form.ts'

const LINES = [
  'Third quarter revenue rose 2.5 percent to 452.2 million dollars.',
  'The drug did not reduce mortality in the trial of 1,200 patients.',
  "So the board rejected the merger with Aaron's.",
]
const cues = LINES.map((text, index) => ({ startMs: index * 60_000, durationMs: 3_900, text }))
const TRUE = [
  { text: 'Revenue rose 2.5 percent in the third quarter.', segment_ids: [1] },
  { text: 'The drug did not reduce mortality.', segment_ids: [2] },
  { text: "The board rejected the merger with Aaron's.", segment_ids: [3] },
]

/** Returns what an infographic shows of a form. */
function show(claims: typeof TRUE, headline = '') {
  const form = checkForm(
    { headline, claims, numbers: [], comparable: false },
    {
      cues,
      notes: LINES.map((text, index) => ({ text, segmentIds: [index + 1] })),
      spokenLanguage: 'en',
      language: 'en',
      isLeak: () => false,
      isHeadingLeak: () => false,
      isInScript: () => true,
      published: [],
    },
  )
  return { claims: form?.claims.map(({ text }) => text) ?? [], headline: form?.headline ?? '' }
}

test('shows claims that the lines carry', () => {
  expect(show(TRUE).claims).toEqual(TRUE.map(({ text }) => text))
})

test.each([
  ['altered numbers', 'Revenue rose 25 percent to 4.5 billion dollars.', 1],
  ['no negation', 'The drug reduced mortality in the trial.', 2],
  ['approval for a rejection', "The board approved the merger with Aaron's.", 3],
  ['approval and another name', 'The board approved the merger with Apple.', 3],
])('does not show a claim or a headline with %s', (_, text, id) => {
  expect(show([...TRUE, { text, segment_ids: [id] }]).claims).not.toContain(text)
  expect(show(TRUE, text).headline).not.toBe(text)
})
