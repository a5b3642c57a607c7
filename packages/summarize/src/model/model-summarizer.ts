import { isWrittenAlike } from '@subtext/captions'
import { ServiceError, type SummaryMode } from '@subtext/contracts'
import { createCostComputer, type TextModel } from '@subtext/llm'
import { fixedHeadingsOf } from '../extractive/fixed-headings.ts'
import { suspectInjection } from '../injection.ts'
import { createPacer, type Pace } from '../pacer.ts'
import { buildInstruction, buildNotesInstruction, MODE_PROMPTS, type Wishes } from '../prompts/instruction.ts'
import { PROMPT_VERSION, SYSTEM_RULES } from '../prompts/rules.ts'
import {
  buildDocument,
  buildTranscriptLines,
  orderChapters,
  type PromptLine,
  takeChapters,
} from '../prompts/transcript-document.ts'
import type { SummarizeOptions, Summarizer, SummarySource } from '../summarizer.ts'
import { type AskFailure, type Desk, explainFailure } from './ask-model.ts'
import type { ClaimCheck } from './check-claim.ts'
import { estimateLineTokens } from './estimate-tokens.ts'
import { buildNotesEvidence, buildTranscriptEvidence, type Evidence, type Note } from './evidence.ts'
import { createLeakGuard } from './leak-guard.ts'
import { createScriptCheck } from './script.ts'
import { takeNotes } from './take-notes.ts'
import { createStemFinder } from './words.ts'
import { type Unwritten, type Writing, writeModes, writeTogether } from './write-modes.ts'

interface ModelSummarizerOptions {
  computeCostUsd?: ReturnType<typeof createCostComputer>
  /** Longest prompt that is sent; a transcript that does not fit is read in parts. Tokens. */
  maxPromptTokens?: number
  countUnusable?: Desk['countUnusable']
  beginWithinMs?: number
}

const DEFAULT_MAX_PROMPT_TOKENS = 90_000
/** Long prompts take seconds; beyond this, writing the document anew is the lesser evil. */
const DEFAULT_BEGIN_WITHIN_MS = 60_000
/** Rules, instruction, schema and what surrounds the lines of a document. */
const FRAME_TOKENS = 4_000
/** Up to here one call for all modes is cheaper than the cache, and so short that little is lost with it. */
const TOGETHER_TOKENS = 4_000
/** Notes on notes on notes: each round makes a document shorter many times over. */
const MAX_ROUNDS = 4
const LEAST_PART_TOKENS = 500
/** Parts leave room: an estimate may be too low, and short prompts are read with more care. */
const PART_SHARE = 0.7

const SECRETS = [
  SYSTEM_RULES,
  ...Object.values(MODE_PROMPTS).map(({ instruction }) => instruction),
  buildNotesInstruction(1, 2, { language: 'en', focus: null }),
  buildInstruction(['tldr'], { language: 'en', focus: null }),
]
const HEADING_LEAK_WORDS = 4
const isLeak = createLeakGuard(SECRETS)
const isHeadingLeak = createLeakGuard(SECRETS, HEADING_LEAK_WORDS)

function createChecks(source: SummarySource, wishes: Wishes): Omit<ClaimCheck, 'evidence'> {
  return {
    findStems: isWrittenAlike(source.track.language, wishes.language) ? createStemFinder(source.track.language) : null,
    isLeak,
    isHeadingLeak,
    fixedHeadings: fixedHeadingsOf(wishes.language),
    // A track can be labelled wrongly; only a language that was asked for is insisted upon.
    isInScript: source.outputLanguage === null ? () => true : createScriptCheck(wishes.language),
  }
}

/** A source with all that is derived from it. */
interface Study {
  desk: Desk
  source: SummarySource
  lines: PromptLine[]
  tokens: number
  wishes: Wishes
  checks: Omit<ClaimCheck, 'evidence'>
  injectionSuspected: boolean
  maxPromptTokens: number
  pace: Pace
  onSummary: SummarizeOptions['onSummary']
  notes: SummarizeOptions['notes']
}

const countTokens = (lines: PromptLine[]): number => lines.reduce((sum, line) => sum + estimateLineTokens(line), 0)

const buildWriting = (
  study: Study,
  document: string,
  evidence: Evidence,
  how: Pick<Writing['provenance'], 'strategy' | 'chunks'>,
): Writing => ({
  source: study.source,
  document,
  wishes: study.wishes,
  check: { ...study.checks, evidence },
  provenance: { ...how, injectionSuspected: study.injectionSuspected },
  pace: study.pace,
  onSummary: study.onSummary,
})

/** The transcript as a whole. What proves to be too much for the model is left to notes. */
async function writeFromTranscript(study: Study, modes: SummaryMode[]): Promise<Unwritten[]> {
  const { desk, source, lines } = study
  const document = buildDocument(source, lines, { kind: 'transcript' })
  const evidence = buildTranscriptEvidence(source.cues)
  const together = modes.length > 1 && study.tokens <= TOGETHER_TOKENS
  const left = together
    ? await writeTogether(desk, buildWriting(study, document, evidence, { strategy: 'combined', chunks: 1 }), modes)
    : modes
  if (left instanceof ServiceError) return failAll(modes, left)
  const alone = buildWriting(study, document, evidence, { strategy: 'per_mode', chunks: 1 })
  const unwritten = await writeModes(desk, alone, left)
  const tooMuch = unwritten.filter(({ failure }) => failure === 'cut' || failure === 'too-long')
  if (tooMuch.length === 0 || study.tokens < 2 * LEAST_PART_TOKENS) return unwritten
  const others = unwritten.filter((entry) => !tooMuch.includes(entry))
  const further = tooMuch.map(({ mode }) => mode)
  return [...others, ...(await writeFromNotes(study, further, study.tokens / 2))]
}

/** Notes on each part, then the summaries from the notes, whose segments stand in for their words. */
async function writeFromNotes(study: Study, modes: SummaryMode[], maxPartTokens: number): Promise<Unwritten[]> {
  const { desk, source, wishes, checks, pace, notes: kept } = study
  const room = study.maxPromptTokens - FRAME_TOKENS
  let notes: Note[] = []
  let lines = study.lines
  let chunks = 0
  for (let round = 0; round === 0 || (countTokens(lines) > room && round < MAX_ROUNDS); round++) {
    const known = notes
    const evidenceOf = (first: number, last: number): Evidence =>
      known.length > 0
        ? buildNotesEvidence(source.cues, known, first, last)
        : buildTranscriptEvidence(source.cues, first, last)
    const kind = round === 0 ? 'transcript' : 'notes'
    const work = { source, lines, kind, wishes, maxPartTokens, evidenceOf, check: checks, pace, kept } as const
    const taken = await takeNotes(desk, work)
    if ('failure' in taken) return failAll(modes, taken.failure)
    notes = taken.notes
    chunks += taken.parts
    lines = numberNotes(study, notes)
  }
  if (countTokens(lines) > room) return failAll(modes, 'too-long')
  const document = buildDocument(source, lines, { kind: 'notes' })
  const evidence = buildNotesEvidence(source.cues, notes)
  return writeModes(desk, buildWriting(study, document, evidence, { strategy: 'map_reduce', chunks }), modes)
}

const failAll = (modes: SummaryMode[], failure: AskFailure): Unwritten[] => modes.map((mode) => ({ mode, failure }))

function numberNotes({ source }: Study, notes: Note[]): PromptLine[] {
  const ahead = orderChapters(source.video)
  return notes.map(({ text, segmentIds }, index) => {
    const startMs = source.cues[(segmentIds[0] ?? 1) - 1]?.startMs ?? 0
    return { id: index + 1, text, startMs, chapters: takeChapters(ahead, startMs) }
  })
}

/**
 * Summaries by a language model. Short transcripts take one call for all modes; others one for each, over the same cached
 * document; those that do not fit into a prompt are read in parts, from whose notes the summaries are written. Every
 * claim is held against the segments it names.
 */
export function createModelSummarizer(model: TextModel, options: ModelSummarizerOptions = {}): Summarizer {
  const {
    computeCostUsd = createCostComputer(),
    maxPromptTokens = DEFAULT_MAX_PROMPT_TOKENS,
    countUnusable = () => {},
    beginWithinMs = DEFAULT_BEGIN_WITHIN_MS,
  } = options
  return {
    model: model.model,
    promptVersion: `${PROMPT_VERSION}/${maxPromptTokens}`,
    canTranslate: true,
    async summarize(source, modes, { signal, onSummary, onSpending, notes }) {
      signal.throwIfAborted()
      if (modes.length === 0) return []
      const pace = createPacer(signal)
      const wishes = { language: source.outputLanguage ?? source.track.language, focus: source.instructions }
      const lines = await buildTranscriptLines(source, pace)
      const tokens = countTokens(lines)
      const study: Study = {
        ...{ source, lines, tokens, wishes, maxPromptTokens, onSummary, notes },
        // An answer that has come is paid for: it is looked at and kept, even when the work has been ended meanwhile.
        pace: createPacer(new AbortController().signal),
        desk: { model, computeCostUsd, signal, onSpending, countUnusable, beginWithinMs },
        checks: createChecks(source, wishes),
        injectionSuspected: await suspectInjection(source, pace),
      }
      const room = maxPromptTokens - FRAME_TOKENS
      const unwritten =
        tokens <= room ? await writeFromTranscript(study, modes) : await writeFromNotes(study, modes, room * PART_SHARE)
      return unwritten.map(({ mode, failure }) => ({ mode, ...explainFailure(failure) }))
    },
  }
}
