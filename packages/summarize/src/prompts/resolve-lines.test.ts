import { createQuoteFinder, createStemFinder } from '@subtext/evidence'
import { newSource } from '../testing/source.ts'
import { joinPassages } from './passages.ts'
import { createLineResolver } from './resolve-lines.ts'
import { buildTranscriptLines } from './transcript-document.ts'

const CUES = [
  'so the first lighthouse on this coast',
  'was built by Henry Winstanley in 1698',
  'and people said it was a folly',
  'five years later the great storm',
  'swept tower and builder into the sea',
  'after that they built in stone',
  'with blocks that dovetail into each other',
].map((text, index) => ({ startMs: index * 3_000, durationMs: 2_900, text }))

async function open(isTranslated = false) {
  const lines = await buildTranscriptLines(newSource(CUES), async () => {})
  const passages = joinPassages(lines)
  const resolve = createLineResolver({
    lines,
    findStems: isTranslated ? null : createStemFinder('en'),
    findQuoted: createQuoteFinder(CUES),
    isStart: (id) => passages.some((passage) => passage.id === id),
  })
  return { resolve, passages }
}
const cite = (text: string, ...segmentIds: number[]) => ({ text, segmentIds })

describe('createLineResolver', () => {
  test.each([
    ['Winstanley built it in 1698.', 1, [2]],
    ['Five years later a storm swept tower and builder away.', 1, [4, 5]],
    ['Henry Winstanley built the first lighthouse on the coast.', 1, [1, 2]],
    ['The blocks dovetail.', 7, [7]],
    ['The storm ended the folly.', 1, [3]],
  ])('resolves the passage of %j to the lines that share its words', async (text, id, ids) => {
    const { resolve, passages } = await open()
    expect(passages.map((passage) => passage.id)).toContain(1)
    expect(resolve(cite(text, id)).segmentIds).toEqual(ids)
  })

  test('keeps the first line if none shares a word, and numbers that no line has', async () => {
    const { resolve } = await open()
    expect(resolve(cite('Nothing of the kind.', 1, 99, 0)).segmentIds).toEqual([1, 99, 0])
  })

  test('leaves a number that begins no passage as the line that it names', async () => {
    const { resolve } = await open()
    expect(resolve(cite('A great storm swept the tower into the sea.', 3)).segmentIds).toEqual([3])
  })

  test('names at most four lines of a passage', async () => {
    const { resolve } = await open()
    const text = CUES.map((cue) => cue.text).join(' ')
    expect(resolve(cite(text, 1)).segmentIds).toHaveLength(4)
  })

  test('resolves a citation to the line that contains what it quotes', async () => {
    const { resolve } = await open(true)
    const claim = {
      text: 'Ein Sturm riss ihn fort.',
      segmentIds: [1, 1],
      quotes: ['swept tower and builder', 'never said'],
    }
    expect(resolve(claim)).toEqual({ ...claim, segmentIds: [4, 1] })
  })
})
