import { buildTranscriptEvidence } from './evidence.ts'
import { buildPassageEvidence, createPassageFinder } from './passage-evidence.ts'

const CUES = Array.from({ length: 20 }, (_, index) => ({
  startMs: index * 4_000,
  durationMs: 3_900,
  text: `Entry ${index + 1}: a line that ends here.`,
}))
const PASSAGES = [{ id: 1, lastId: 8 }, { id: 9 }]

test('reads the cited lines alone, and the whole passage with the lines beside it for what may stand nearby', () => {
  const evidence = buildPassageEvidence(buildTranscriptEvidence(CUES), createPassageFinder(PASSAGES))
  const { cited, near, sentences } = evidence.linesOf([1])
  expect(cited).toContain('Entry 1:')
  expect(cited).not.toContain('Entry 2:')
  for (const text of [near, evidence.textOf([1], [1])]) {
    expect(text.match(/Entry \d+:/g)).toHaveLength(10)
  }
  expect(sentences.match(/Entry \d+:/g)).toHaveLength(8)
  expect(evidence.linesOf([9]).near.match(/Entry \d+:/g)).toHaveLength(5)
  expect(evidence.segmentsOf(21)).toEqual([])
})
