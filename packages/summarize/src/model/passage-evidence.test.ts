import { buildTranscriptEvidence } from '@subtext/evidence'
import { newTalk } from '../testing/source.ts'
import { buildPassageEvidence } from './passage-evidence.ts'

const CUES = newTalk(20)
const PASSAGES = [
  { id: 1, lastId: 8, text: '', startMs: 0, chapters: [] },
  { id: 9, text: '', startMs: 0, chapters: [] },
]

test('reads the cited lines alone, and the whole passage with the lines beside it for what may stand nearby', () => {
  const evidence = buildPassageEvidence(buildTranscriptEvidence(CUES), PASSAGES)
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
