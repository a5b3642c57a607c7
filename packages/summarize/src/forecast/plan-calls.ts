import { SUMMARY_MODES, type SummaryMode, type TranscriptSize, type UsageSample } from '@subtext/contracts'
import { ASCII_PER_TOKEN, TOKENS_PER_OTHER } from '@subtext/llm'
import { MAX_NOTE_LENGTH, MAX_NUMBER_LINES, MAX_POINTS } from '../infographic/notes.ts'
import { LINE_TOKENS } from '../model/estimate-tokens.ts'
import {
  computeMaxLineTokens,
  isSmallContext,
  MAX_TOGETHER_TOKENS,
  PART_SHARE,
  type PromptLimits,
} from '../model/limits.ts'
import { buildInfographicInstruction } from '../prompts/infographic.ts'
import { buildInstruction } from '../prompts/instruction.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import { countForeign, scaleSize } from './transcript-size.ts'

/** The output of a call: the summary of a mode, notes on a part of a long transcript, or the text of an infographic. */
export type Written = UsageSample['written'] | 'extraction'

/** An expected call of the model. */
export interface PlannedCall {
  /** One entry unless several modes are written together. */
  writes: Written[]
  /** System rules and document, which calls about the same transcript share. */
  prefixTokens: number
  instructionTokens: number
  /** Its effect on the provider's cache of the prefix. `kept`: it reads what earlier calls of the account keep there, if any do. */
  cache: 'none' | 'write' | 'read' | 'kept'
  outputTokens: Record<string, number>
}

const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_FOREIGN = 0.9
/** The number, brackets and line break of a passage. */
const TOKENS_PER_LINE = 3
/** Average length of the passages that lines are joined to, and that of scripts with three bytes for a letter. */
const PASSAGE_LENGTH = 195
const DENSE_PASSAGE_LENGTH = 100
const DENSE_BYTES = 2.2
/** Title, channel, language, date, duration and the beginning of the description. */
const FRAME = 170
const textTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)
const SYSTEM = textTokens(SYSTEM_RULES)
/** Tokens of a prompt besides its lines, for a model with a small context window, as the summarizer estimates them. */
const SMALL_FRAME = 2_600
const MIN_PART = 200

/** Tokens of an answer about a transcript of `USUAL_TOKENS`. Longer ones have more to say, but not in proportion. */
const OUTPUT: Record<SummaryMode, number> = {
  tldr: 220,
  detailed: 1_300,
  study_notes: 1_700,
  timestamped: 800,
  key_insights: 650,
}
/** Three to five statements and some numbers, however long the transcript is. */
const INFOGRAPHIC_OUTPUT = 350
/** Forms differ more than summaries do. */
const EXTRACTION_OUTPUT = 700
const USUAL_TOKENS = 4_000
const OUTPUT_GROWTH = 0.25
const MIN_OUTPUT_FACTOR = 0.4
const MAX_OUTPUT_FACTOR = 1.4
/** Notes are spread evenly over a part, one for a minute or two of speech. */
const CUES_PER_NOTE = 25
const MIN_NOTES = 4
const MAX_NOTES = 60
const TOKENS_PER_NOTE = 60
const CHARACTERS_PER_NOTE = 200

/** A statement of a summary, with its number. */
const TOKENS_PER_POINT = 45
/** Share of a summary's tokens that its statements take. The rest is form. */
const POINTS_SHARE = 0.7

const countNotes = ({ cues }: TranscriptSize): number =>
  Math.min(MAX_NOTES, Math.max(MIN_NOTES, Math.ceil(cues / CUES_PER_NOTE)))

/** Returns how many passages the lines of a transcript are joined to. Notes are longer than that, and stay as they are. */
const countPassages = (size: TranscriptSize): number =>
  Math.min(
    size.cues,
    Math.ceil(size.characters / (size.bytes > size.characters * DENSE_BYTES ? DENSE_PASSAGE_LENGTH : PASSAGE_LENGTH)),
  )

const documentTokens = (size: TranscriptSize): number => {
  const foreign = countForeign(size)
  const latin = size.characters - foreign
  return Math.ceil(
    FRAME + latin / CHARACTERS_PER_TOKEN + foreign * TOKENS_PER_FOREIGN + countPassages(size) * TOKENS_PER_LINE,
  )
}

/** Returns the summarizer's own estimate of the lines of a transcript, by which it selects its strategy. */
function countLineTokens(size: TranscriptSize): number {
  const foreign = countForeign(size)
  const text = (size.characters - foreign) / ASCII_PER_TOKEN + foreign * TOKENS_PER_OTHER
  // Each passage is rounded up.
  return text + countPassages(size) * (LINE_TOKENS + 0.5)
}

/** Returns how many tokens of lines fit into a prompt. */
const countMaxTokens = (limits: PromptLimits, instructions: string | null): number =>
  Math.max(MIN_PART, computeMaxLineTokens(limits, SMALL_FRAME + textTokens(instructions ?? '')))

const outputTokens = (written: Written, size: TranscriptSize, document: number): number => {
  if (written === 'notes') return countNotes(size) * TOKENS_PER_NOTE
  if (written === 'infographic') return INFOGRAPHIC_OUTPUT
  const isFormed = written === 'extraction'
  const growth = (document / USUAL_TOKENS) ** OUTPUT_GROWTH
  return Math.round(
    (isFormed ? EXTRACTION_OUTPUT : OUTPUT[written]) * Math.min(MAX_OUTPUT_FACTOR, Math.max(MIN_OUTPUT_FACTOR, growth)),
  )
}

export interface PlanOptions {
  instructions: string | null
  limits: PromptLimits
  /** Whether the notes on a long transcript exist already. */
  hasNotes: boolean
  /** Factor by which the summarizer's own estimate of the length may differ from this one. */
  lineFactor?: number
}

interface CallOptions {
  writes: Written[]
  size: TranscriptSize
  instructions: string | null
  cache: PlannedCall['cache']
}

export function planCall({ writes, size, instructions, cache }: CallOptions): PlannedCall {
  const document = documentTokens(size)
  const modes = writes.filter((written): written is SummaryMode => SUMMARY_MODES.some((mode) => mode === written))
  return {
    writes,
    prefixTokens: SYSTEM + document,
    // The instruction for notes is about as long as that for a summary.
    instructionTokens: textTokens(
      buildInstruction(modes.length > 0 ? modes : ['tldr'], { language: 'en', focus: instructions }),
    ),
    cache,
    outputTokens: Object.fromEntries(writes.map((written) => [written, outputTokens(written, size, document)])),
  }
}

/** Lists the calls with which the summarizer will probably write these modes, in order. */
export function planCalls(size: TranscriptSize, modes: SummaryMode[], options: PlanOptions): PlannedCall[] {
  const { instructions, limits, lineFactor = 1 } = options
  if (modes.length === 0) return []
  const lines = countLineTokens(size) * lineFactor
  const maxTokens = countMaxTokens(limits, instructions)
  if (lines > maxTokens) return planFromNotes(size, modes, options, Math.ceil(lines / (maxTokens * PART_SHARE)))
  if (modes.length > 1 && lines <= MAX_TOGETHER_TOKENS && !isSmallContext(limits)) {
    return [planCall({ writes: modes, size, instructions, cache: 'none' })]
  }
  return planEach(size, modes, instructions)
}

/** The first of several calls writes the document to the provider's cache, the others read it. */
const planEach = (size: TranscriptSize, modes: SummaryMode[], instructions: string | null): PlannedCall[] =>
  modes.map((mode, index) => {
    const cache = modes.length === 1 ? 'kept' : index === 0 ? 'write' : 'read'
    return planCall({ writes: [mode], size, instructions, cache })
  })

function planFromNotes(
  size: TranscriptSize,
  modes: SummaryMode[],
  { instructions, hasNotes }: PlanOptions,
  parts: number,
): PlannedCall[] {
  const part = scaleSize(size, 1 / parts)
  const notes = hasNotes
    ? []
    : Array.from({ length: parts }, () => planCall({ writes: ['notes'], size: part, instructions, cache: 'none' }))
  const cues = parts * countNotes(part)
  const characters = cues * CHARACTERS_PER_NOTE
  const bytesPerCharacter = size.bytes / Math.max(1, size.characters)
  return [
    ...notes,
    ...planEach({ cues, characters, bytes: Math.round(characters * bytesPerCharacter) }, modes, instructions),
  ]
}

/** Lists the calls that fill a template. */
export function planExtraction(
  size: TranscriptSize,
  { instructions, limits }: Pick<PlanOptions, 'instructions' | 'limits'>,
): PlannedCall[] {
  const maxTokens = countMaxTokens(limits, instructions)
  const lines = countLineTokens(size)
  const parts = lines > maxTokens ? Math.ceil(lines / (maxTokens * PART_SHARE)) : 1
  return Array.from({ length: parts }, () =>
    planCall({ writes: ['extraction'], size: scaleSize(size, 1 / parts), instructions, cache: 'none' }),
  )
}

interface InfographicPlan extends Pick<PlanOptions, 'instructions' | 'limits'> {
  size: TranscriptSize
  /** The modes of the summaries whose statements the model reads. */
  modes: SummaryMode[]
  /** Share of the lines of the transcript that name numbers, which the model reads as well. */
  numberShare: number
}

/** Returns the call that writes the text of an infographic. */
export function planInfographic({ size, modes, instructions, limits, numberShare }: InfographicPlan): PlannedCall {
  const document = documentTokens(size)
  const answers = modes.reduce((sum, mode) => sum + outputTokens(mode, size, document), 0)
  const points = Math.min(MAX_POINTS * TOKENS_PER_POINT, Math.round(answers * POINTS_SHARE))
  const cues = Math.min(MAX_NUMBER_LINES, Math.round(size.cues * numberShare))
  // Each line is read with the next one.
  const share = cues * Math.min(2 / Math.max(1, size.cues), MAX_NOTE_LENGTH / Math.max(1, size.characters))
  const notes = points + documentTokens({ ...scaleSize(size, share), cues })
  const maxTokens = countMaxTokens(limits, instructions)
  return {
    writes: ['infographic'],
    prefixTokens: SYSTEM + Math.min(notes, FRAME + maxTokens),
    instructionTokens: textTokens(buildInfographicInstruction({ language: 'en', focus: instructions })),
    cache: 'none',
    outputTokens: { infographic: INFOGRAPHIC_OUTPUT },
  }
}
