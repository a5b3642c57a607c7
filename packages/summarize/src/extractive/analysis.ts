import { describeSpan } from '../describe-span.ts'
import type { Pace } from '../pacer.ts'
import type { SummarySource } from '../summarizer.ts'
import { buildBlocks, buildLines, sampleLines } from './blocks.ts'
import { cleanCueText } from './cue-text.ts'
import { findKeyTerms, type KeyTerm } from './key-terms.ts'
import { tallyPhrases } from './phrases.ts'
import { buildPriors, type Focus } from './priors.ts'
import { type Ranking, rankSentences } from './rank.ts'
import { buildSections, type SectionRange } from './sections.ts'
import { buildSentences, type Sentence } from './sentences.ts'
import { describeSpeech, type Speech } from './speech.ts'
import { createTokenizer, type Token } from './tokens.ts'
import { buildVectorSpace, type Vector } from './vectors.ts'

export interface Section {
  /** The sentences `[from, to)`. */
  from: number
  to: number
  heading: string
}

/** What all modes are built from. There is at least one sentence and one section. */
export interface Analysis {
  speech: Speech
  sentences: Sentence[]
  vectors: Vector[]
  ranking: Ranking
  sections: Section[]
  keyTerms: KeyTerm[]
  /** Whether only evenly spaced passages were read, because the transcript is too long. */
  isSampled: boolean
}

const TITLE_GAIN = 1
/** A title of words that are rare in the transcript says more about its subject. */
const RARE_TITLE_GAIN = 2
const RARE_SHARE = 0.05
const INSTRUCTIONS_GAIN = 5
const MAX_FOCUS_CHARS = 2_000

/** A section without a title of its own is named by its time. */
const nameSections = (ranges: SectionRange[], sentences: Sentence[]): Section[] =>
  ranges.map(({ from, to, title }) => ({
    from,
    to,
    heading: title ?? describeSpan(sentences[from]?.startMs ?? 0, sentences[to - 1]?.endMs ?? 0),
  }))

/** Returns null if the transcript has nothing to read. `maxChars`: see `sampleLines`. */
export async function analyzeTranscript(
  source: SummarySource,
  maxChars: number | undefined,
  pace: Pace,
): Promise<Analysis | null> {
  const all = await buildLines(source.cues, pace)
  const lines = sampleLines(all, maxChars)
  if (lines.length === 0) return null
  const speech = describeSpeech(
    source.track.language,
    lines.map((line) => line.text),
  )
  const blocks = await buildBlocks(lines, { writtenByPeople: source.track.kind === 'manual' }, pace)
  const sentences = await buildSentences(blocks, speech, pace)
  if (sentences.length === 0) return null
  const tokenize = createTokenizer(speech)
  const tokens: Token[][] = []
  for (const sentence of sentences) {
    tokens.push(tokenize(sentence.spoken))
    await pace()
  }
  const space = await buildVectorSpace(tokens, speech.language, pace)
  const { vectors } = space
  const focusOn = (subject: string, gain: number): Focus => ({
    vector: space.vectorOf(tokenize(cleanCueText(subject).text.slice(0, MAX_FOCUS_CHARS))),
    gain,
  })
  const title = tokenize(cleanCueText(source.video.title).text).filter(({ stem }) => stem !== '')
  const rare = title.filter(({ stem }) => space.sentencesWith(stem) < sentences.length * RARE_SHARE)
  const titleGain = rare.length * 2 > title.length ? RARE_TITLE_GAIN : TITLE_GAIN
  const focuses = [focusOn(source.video.title, titleGain), focusOn(source.instructions ?? '', INSTRUCTIONS_GAIN)]
  const priors = await buildPriors({ sentences, tokens, vectors, speech, focuses }, pace)
  const ranking = await rankSentences(vectors, priors, pace)
  const ranges = await buildSections(sentences, vectors, source.video.chapters, pace)
  const context = { space, speech, sentences, tokens, everywhere: await tallyPhrases(tokens, speech.isUnspaced, pace) }
  await pace()
  return {
    speech,
    sentences,
    vectors,
    ranking,
    sections: nameSections(ranges, sentences),
    keyTerms: await findKeyTerms({ ...context, priors }, pace),
    isSampled: lines.length < all.length,
  }
}
