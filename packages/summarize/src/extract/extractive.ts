import {
  type BuiltInName,
  type Cue,
  EXTRACTIVE,
  type ExtractionContent,
  listPoints,
  type SummaryMode,
} from '@subtext/contracts'
import { cutQuotation } from '@subtext/evidence'
import type { Summarizer, SummarySource } from '../summarizer.ts'

const MAX_TITLE = 120
/** Shorter sentences are no statements. */
const MIN_QUOTE_LETTERS = 12

interface Sentence {
  text: string
  segmentIds: number[]
}

async function selectSentences(
  extractive: Summarizer,
  source: SummarySource,
  mode: SummaryMode,
  signal: AbortSignal,
): Promise<Sentence[]> {
  const found: Sentence[] = []
  await extractive.summarize({ ...source, instructions: null, outputLanguage: null }, [mode], {
    signal,
    onSummary: async ({ content }) => void found.push(...listPoints(content)),
    onSpending: async () => {},
  })
  return found.filter(({ segmentIds }) => segmentIds.length > 0)
}

const evidenceOf = (cues: readonly Cue[], segmentIds: readonly number[]) =>
  segmentIds.flatMap((segmentId) => {
    const cue = cues[segmentId - 1]
    return cue ? [{ segmentId, startMs: cue.startMs, quote: cue.text }] : []
  })

interface Filled {
  name: string
  items: { value: Record<string, unknown>; segmentIds: number[] }[]
}

function describe({ name, items }: Filled, cues: readonly Cue[]): ExtractionContent {
  const evidence = items.flatMap(({ value, segmentIds }, index) =>
    Object.keys(value).map((property) => [`/${name}/${index}/${property}`, evidenceOf(cues, segmentIds)] as const),
  )
  return {
    data: { [name]: items.map(({ value }) => value) },
    evidence: Object.fromEntries(evidence),
    unsupported: [],
    model: EXTRACTIVE,
  }
}

/** Cuts a title to a length, between words. */
const shorten = (text: string): string =>
  text.length <= MAX_TITLE
    ? text
    : `${text
        .slice(0, MAX_TITLE)
        .toWellFormed()
        .replace(/\s\S*$/, '')}…`

async function fillQuotes(extractive: Summarizer, source: SummarySource, signal: AbortSignal): Promise<Filled> {
  const { cues } = source
  const sentences = await selectSentences(extractive, source, 'detailed', signal)
  const items = sentences.flatMap(({ text, segmentIds }) => {
    const said = cutQuotation(segmentIds.map((id) => cues[id - 1]?.text ?? '').join(' '), text)
    return said !== null && said.length >= MIN_QUOTE_LETTERS ? [{ value: { quote: said }, segmentIds }] : []
  })
  return { name: 'quotes', items }
}

async function fillChapters(extractive: Summarizer, source: SummarySource, signal: AbortSignal): Promise<Filled> {
  const { cues } = source
  const sentences = await selectSentences(extractive, source, 'timestamped', signal)
  const startOf = ({ segmentIds }: Sentence): number => cues[(segmentIds[0] ?? 1) - 1]?.startMs ?? 0
  const ordered = sentences.toSorted((one, other) => startOf(one) - startOf(other))
  const distinct = ordered.filter((each, index) => {
    const before = ordered[index - 1]
    return !before || startOf(each) > startOf(before)
  })
  const items = distinct.map((sentence, index) => ({
    value: { title: shorten(sentence.text), start: index === 0 ? 0 : startOf(sentence) / 1_000 },
    segmentIds: sentence.segmentIds,
  }))
  return { name: 'chapters', items }
}

const FILLERS: Partial<Record<BuiltInName, typeof fillQuotes>> = { quotes: fillQuotes, chapters: fillChapters }

/** Fills a built-in template with sentences of the transcript. Returns null for one that needs a model. */
export async function fillExtractively(
  name: BuiltInName,
  extractive: Summarizer,
  source: SummarySource,
  signal: AbortSignal,
): Promise<ExtractionContent | null> {
  const filled = await FILLERS[name]?.(extractive, source, signal)
  return filled ? describe(filled, source.cues) : null
}
