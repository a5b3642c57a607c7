import type { Pace } from '../pacer.ts'
import type { Block } from './blocks.ts'
import { splitByWeights } from './borders/split-by-weights.ts'
import { type Capitals, capitalizeNames, findCapitals } from './capitals.ts'
import { tidySpoken } from './habits.ts'
import { LANGUAGE_CUES } from './language-cues.ts'
import { presentPassage, presentSentence } from './sentence-text.ts'
import { lowerBound, type SentenceRange } from './spans.ts'
import type { Speech } from './speech.ts'
import { splitRun } from './split-run.ts'

/** A passage of the transcript that makes sense by itself. */
export interface Sentence {
  /** As spoken, for counting words. */
  spoken: string
  /** As shown. */
  text: string
  startMs: number
  endMs: number
  /** Ids of the lines it comes from, ascending. */
  segmentIds: number[]
  /** How certain it is that the sentence begins and ends here, 0 to 1 (full stops). */
  confidence: number
}

/** What is less likely a whole sentence is shown as a passage. */
export const WHOLE = 0.2
/** Ends of which less is known are guesses. */
const GUESS = 0.2
/** A silence that ends a sentence regardless of punctuation. */
const SILENCE_MS = 5_000
const STOP = /[.!?…。！？।॥۔؟։።။។｡]["'”’»)）」』\]\s]*$/u
/** The segmenter mistakes these full stops for ends of sentences. */
const ABBREVIATION =
  /(?:^|[\s("'«“])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Sra|Dra|Mme|Mlle|Nr|Hr|Fr|bzw|ca|vs|No|Fig|approx|etc|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|[A-ZÀ-Ý]|(?:[A-Z]\.)+[A-Z])\.\s*$/u

const hardBreaks = (block: Block): number[] =>
  block.offsets.filter((_, i) => {
    const line = block.lines[i]
    const before = block.lines[i - 1]
    return (
      line !== undefined && before !== undefined && (line.isNewSpeaker || line.startMs - before.endMs >= SILENCE_MS)
    )
  })

function segmentText(text: string, from: number, segmenter: Intl.Segmenter): SentenceRange[] {
  const spans: SentenceRange[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const last = spans.at(-1)
    const to = from + index + segment.length
    if (last && ABBREVIATION.test(text.slice(Math.max(0, index - 12), index))) last.to = to
    else spans.push({ from: from + index, to, confidence: 1 })
  }
  return spans
}

function trimSpaces(text: string, span: SentenceRange): SentenceRange {
  let { from, to } = span
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return { ...span, from, to }
}

/** Removes spaces, hesitation, and words of the next sentence that a guessed end included. */
function trimSpan(text: string, span: SentenceRange, speech: Speech): SentenceRange {
  let trimmed = trimSpaces(text, span)
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  if (!cues) return trimmed
  const hesitation = text.slice(trimmed.from, trimmed.to).match(cues.fillers)
  if (hesitation) trimmed = { ...trimmed, from: trimmed.from + hesitation[0].length }
  for (let words = 0; span.confidence < GUESS && words < 3; words++) {
    const dangling = text.slice(trimmed.from, trimmed.to).match(cues.unfinished)
    if (!dangling) break
    trimmed = trimSpaces(text, { ...trimmed, to: trimmed.to - dangling[0].length })
  }
  return trimmed
}

/** Returns the time at an offset of the text, assuming that speech within a line is even. */
function timeAt(block: Block, lineIndex: number, offset: number): number {
  const line = block.lines[lineIndex]
  if (!line) return 0
  const next = block.lines[lineIndex + 1]
  const endMs = next ? Math.max(line.startMs, Math.min(line.endMs, next.startMs)) : line.endMs
  const within = (offset - (block.offsets[lineIndex] ?? 0)) / Math.max(1, line.text.length)
  return line.startMs + Math.min(1, Math.max(0, within)) * (endMs - line.startMs)
}

function buildSentence(block: Block, span: SentenceRange, speech: Speech, capitals: Capitals): Sentence | null {
  const { from, to } = trimSpan(block.text, span, speech)
  const spoken = block.text.slice(from, to)
  const tidy = capitalizeNames(tidySpoken(spoken, speech.tag), capitals)
  const text = span.confidence < WHOLE ? presentPassage(tidy) : presentSentence(tidy, speech.tag)
  if (!/[\p{L}\p{N}]/u.test(text)) return null
  const first = Math.max(0, lowerBound(block.offsets, from + 1) - 1)
  const last = Math.max(first, lowerBound(block.offsets, to) - 1)
  const segmentIds = block.lines.slice(first, last + 1).map((line) => line.id)
  return {
    spoken,
    text,
    startMs: timeAt(block, first, from),
    endMs: timeAt(block, last, to),
    segmentIds,
    confidence: span.confidence,
  }
}

function divide(block: Block, span: SentenceRange, speech: Speech): SentenceRange[] {
  const spans = splitByWeights(block, span, speech)
  if (spans) return spans
  return span.to - span.from <= speech.lengths.max ? [span] : splitRun(block, span, speech)
}

function splitBlock(block: Block, segmenter: Intl.Segmenter, speech: Speech, capitals: Capitals): Sentence[] {
  const sentences: Sentence[] = []
  const push = (span: SentenceRange) => {
    const sentence = buildSentence(block, span, speech, capitals)
    if (sentence) sentences.push(sentence)
  }
  const ends = [...hardBreaks(block), block.text.length]
  let from = 0
  for (const to of ends) {
    for (const span of segmentText(block.text.slice(from, to), from, segmenter)) {
      const length = span.to - span.from
      const stopped = STOP.test(block.text.slice(Math.max(span.from, span.to - 8), span.to))
      if (stopped && length <= speech.lengths.cut) push(span)
      else for (const piece of divide(block, span, speech)) push(piece)
    }
    from = to
  }
  return sentences
}

/** Returns the sentences in the order of the transcript. */
export async function buildSentences(blocks: Block[], speech: Speech, pace: Pace): Promise<Sentence[]> {
  const segmenter = new Intl.Segmenter(speech.tag, { granularity: 'sentence' })
  const capitals = findCapitals(blocks, speech.tag)
  const sentences: Sentence[] = []
  for (const block of blocks) {
    for (const sentence of splitBlock(block, segmenter, speech, capitals)) sentences.push(sentence)
    await pace()
  }
  return sentences
}
