import { at } from '@subtext/runtime'
import { buildBlocks, buildLines } from '../../extractive/blocks.ts'
import { rankSentences } from '../../extractive/rank.ts'
import { buildSentences } from '../../extractive/sentences.ts'
import { describeSpeech } from '../../extractive/speech.ts'
import { createTokenizer } from '../../extractive/tokens.ts'
import { buildVectorSpace, cosine } from '../../extractive/vectors.ts'
import { isUnspaced, type SpokenTrack } from './spoken-document.ts'

export const BASELINES = ['lead', 'LexRank', 'title'] as const
export type Baseline = (typeof BASELINES)[number]

const pace = async (): Promise<void> => {}

/** Returns functions that summarize a track in a number of characters, without what our summarizer adds. */
export async function createBaselines({
  source,
  document,
}: SpokenTrack): Promise<Record<Baseline, (chars: number) => string>> {
  const lines = await buildLines(source.cues, pace)
  const speech = describeSpeech(
    document.language,
    lines.map(({ text }) => text),
  )
  const blocks = await buildBlocks(lines, { writtenByPeople: false }, pace)
  const sentences = await buildSentences(blocks, speech, pace)
  const tokenize = createTokenizer(speech)
  const space = await buildVectorSpace(
    sentences.map(({ spoken }) => tokenize(spoken)),
    speech.language,
    pace,
  )
  const { vectors } = space
  const { local } = await rankSentences(
    vectors,
    vectors.map(() => 1),
    pace,
  )
  const title = space.vectorOf(tokenize(document.title))
  const select = (rate: (index: number) => number) => {
    const order = sentences.map((_, index) => index).sort((a, b) => rate(b) - rate(a) || a - b)
    return (chars: number): string => {
      const chosen: number[] = []
      let length = 0
      for (const index of order) {
        const more = at(sentences, index).spoken.length
        if (chosen.length > 0 && length + more / 2 > chars) break
        chosen.push(index)
        length += more
      }
      return chosen
        .sort((a, b) => a - b)
        .map((index) => at(sentences, index).spoken)
        .join(isUnspaced(document.language) ? '' : ' ')
    }
  }
  return {
    lead: select(() => 0),
    LexRank: select((index) => at(local, index)),
    title: select((index) => cosine(at(vectors, index), title)),
  }
}
