import { buildTranscriptEvidence, createStemFinder } from '@subtext/evidence'
import { checkDraft } from './check-draft.ts'

const SAID = [
  'The harbour was founded',
  'in 1948, and they scored in minute 90',
  'uh',
  'so',
  'well',
  'Other years follow',
]

test.each([
  ['The harbour (1948)', 'The harbour (1948)'],
  ['The harbour in minute 90', 'The harbour in minute 90'],
  ['The harbour (1950)', 'The harbour'],
  ['The harbour at 12:34', 'The harbour'],
  ['www[0:01].evil.example harbour', '… harbour'],
])('reduces the heading %j to the numbers that are said below it: %j', async (heading, shown) => {
  const evidence = buildTranscriptEvidence(
    SAID.map((text, index) => ({ startMs: index * 1_000, durationMs: 1_000, text })),
  )
  const points = [{ text: 'The harbour was founded.', segmentIds: [1] }]
  const checked = await checkDraft(
    'detailed',
    { overview: [], sections: [{ heading, points }] },
    {
      evidence,
      findStems: createStemFinder('en'),
      findSaid: () => [],
      isLeak: () => false,
      isHeadingLeak: () => false,
      labels: null,
      checks: [],
      headings: { findStems: null, checks: [] },
      isInScript: () => true,
    },
    async () => {},
  )
  expect(checked).toMatchObject({ value: { content: { sections: [{ heading: shown }] } } })
})
