import type { SummaryMode } from '@subtext/contracts'
import { escapeLine } from './escape-line.ts'
import { type Lengths, selectLengths } from './lengths.ts'

interface ModePrompt {
  instruction: (lengths: Lengths) => string
  /** Maximum output tokens, including the model's thinking, which counts as output. */
  maxOutputTokens: number
}

/** Quotations are checked word for word. Those in another language cannot be. */
const MAY_QUOTE =
  'A telling phrase may be quoted in quotation marks, at most twelve words exactly as they stand in one line, if you write in the language of the lines.'

export const MODE_PROMPTS: Record<SummaryMode, ModePrompt> = {
  tldr: {
    maxOutputTokens: 4_000,
    instruction: ({ sentences }) => `"tldr": the shortest answer to what this is about and what it comes to.
- sentences: ${sentences}, one to an entry; first the main statement, then what supports it or follows from it.`,
  },
  detailed: {
    maxOutputTokens: 16_000,
    instruction: ({ words }) => `"detailed": a thorough account that can stand in for watching.
- overview: three to five sentences on subject, course and outcome, one to an entry.
- sections: one for each topic, in the order of the document, with a short informative heading. Each point is one to three sentences with the statement, its reasons, examples and figures. About ${words} words in all. ${MAY_QUOTE}`,
  },
  study_notes: {
    maxOutputTokens: 16_000,
    instruction: ({ terms, questions }) => `"study_notes": notes to learn from.
- overview: one or two sentences on what one knows after it.
- concepts: one section for each concept or topic, with its name as heading; points are definitions, explanations, steps, formulas in words and examples, each understandable by itself.
- terms: up to ${terms} words worth learning with their meanings, below a heading for them; no entries when there are none.
- questions: ${questions} to test oneself, fewer only if the document has no more to ask about, each with its short answer, below a heading for them.`,
  },
  timestamped: {
    maxOutputTokens: 16_000,
    instruction: ({ moments }) => `"timestamped": a way through the video by time.
- moments: what begins at each passage of the video, one sentence each, in the order of the document; follow the <chapter> lines where there are any, otherwise about ${moments} moments, spread over the whole video. The first of the segment_ids is the line where it begins; every moment has at least one.`,
  },
  key_insights: {
    maxOutputTokens: 16_000,
    instruction: ({ takeaways }) => `"key_insights": what is worth keeping.
- claim: one sentence with the central claim.
- takeaways: ${takeaways}, the most important first, each with why it holds, below a heading for them. ${MAY_QUOTE}
- actions: what a viewer can do, decide or check on the strength of it, each beginning with a verb, below a heading for them; no points when the document supports none.`,
  },
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** Returns how prompts name a language. `tag`: BCP-47. */
export const nameLanguage = (tag: string): string => {
  try {
    return `${languageNames.of(tag) ?? tag} (${tag})`
  } catch {
    return 'the language of the transcript'
  }
}

export interface OutputOptions {
  /** BCP-47. */
  language: string
  /** The reader's request, in the reader's own words. */
  focus: string | null
  /** Every entry has to quote the lines it rests on, because they are in another language. Default: false. */
  isQuoting?: boolean
  /** Whether answers have to be short. */
  maxWords?: number
  /** Length of the video, on which the lengths of summaries depend. Default: that of a talk. */
  minutes?: number
}

const DEFAULT_MINUTES = 20

const QUOTING = `What you write is in another language than the lines. In place of "segment_ids", give "citations": for each line that an entry rests on its number and a quotation, three to twelve words in a row of that very line, in its own language, exactly as they stand there and never translated. An entry whose quotations are not in their lines is discarded.`

/** Builds the end of every instruction. The reader's own words come last, and the rules limit what they can change. */
export function buildEnding({ language, focus, isQuoting = false, maxWords }: OutputOptions): string {
  const escapedFocus = focus === null ? '' : escapeLine(focus)
  const length = maxWords === undefined ? [] : [`Length: at most ${maxWords} words in all, whatever is said above.`]
  const ending = [...(isQuoting ? [QUOTING] : []), ...length, `Language: ${nameLanguage(language)}.`].join('\n\n')
  if (escapedFocus === '') return ending
  return `${ending}

The reader's wish follows. Let it decide what to emphasize, as far as the rules allow; it changes nothing else.
<focus>${escapedFocus}</focus>`
}

/** Builds the part of a prompt that differs between modes. */
export function buildInstruction(modes: readonly SummaryMode[], outputOptions: OutputOptions): string {
  const lengths = selectLengths(outputOptions.minutes ?? DEFAULT_MINUTES)
  const opening =
    modes.length === 1
      ? 'Write one summary. Its list gets one entry; all other lists stay empty:'
      : `Write ${modes.length} summaries, each complete in itself. The list of each gets one entry; all other lists stay empty:`
  return [opening, ...modes.map((mode) => MODE_PROMPTS[mode].instruction(lengths)), buildEnding(outputOptions)].join(
    '\n\n',
  )
}

export const NOTES_MAX_OUTPUT_TOKENS = 12_000

/** Builds the instruction for one part of a long document. */
export const buildNotesInstruction = (part: number, parts: number, outputOptions: OutputOptions): string =>
  [
    `This is part ${part} of ${parts}. Take notes on it, from which others will write summaries without seeing it.
- notes: in the order of the document and spread evenly over the part, from its first line to its last; at least one for every few minutes of speech, sixty at most. Each is one sentence or two with a statement, its reason, examples, names and figures.`,
    buildEnding(outputOptions),
  ].join('\n\n')

/** Why an answer could not be used, for the attempt to repair it. Never contains words of the answer itself. */
export const REPAIR_HINTS = {
  json: 'it was not the one JSON object of the schema',
  structure: 'an entry was missing, or did not have the structure of its mode',
  empty: 'it said nothing',
  unsupported: 'the lines it named do not say what it claimed',
  long: 'it became too long',
} as const
export type RepairReason = keyof typeof REPAIR_HINTS
export const REPAIR_REASONS = Object.keys(REPAIR_HINTS) as RepairReason[]

export const buildRepair = (instruction: string, reason: RepairReason): string =>
  `${instruction}\n\nAn answer to this could not be used: ${REPAIR_HINTS[reason]}. Answer again, following all the rules.`
