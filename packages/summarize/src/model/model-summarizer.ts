import { isWrittenAlike } from '@subtext/captions'
import { ServiceError, type SummaryMode } from '@subtext/contracts'
import {
  buildNotesEvidence,
  buildPassageEvidence,
  buildTranscriptEvidence,
  createPassageFinder,
  type Evidence,
  type Note,
} from '@subtext/evidence'
import { type ComputeCostUsd, createCostComputer, estimateTokens, type TextModel } from '@subtext/llm'
import { createPacer, type Pace } from '../pacer.ts'
import { selectSchemas } from '../prompts/answer-schema.ts'
import { buildInstruction, buildNotesInstruction, type OutputOptions } from '../prompts/instruction.ts'
import { measureMinutes } from '../prompts/lengths.ts'
import { joinPassages } from '../prompts/passages.ts'
import { PROMPT_VERSION, SYSTEM_RULES } from '../prompts/rules.ts'
import {
  buildDocument,
  buildTranscriptLines,
  countLineTokens,
  nameSpeakers,
  orderChapters,
  type PromptLine,
  takeChapters,
} from '../prompts/transcript-document.ts'
import type { SummarizeOptions, Summarizer, SummarySource } from '../summarizer.ts'
import { suspectInjection } from '../suspect-injection.ts'
import { explainFailure, type ModelContext, type RequestFailure } from './ask-model.ts'
import { createChecks } from './create-checks.ts'
import {
  computeMaxLineTokens,
  countAnswerTokens,
  countWords,
  DEFAULT_MAX_PROMPT_TOKENS,
  isSmallContext,
  MAX_TOGETHER_TOKENS,
  PART_SHARE,
  type PromptLimits,
} from './limits.ts'
import { takeNotes } from './take-notes.ts'
import { type FailedMode, type WritingTask, writeModes, writeTogether } from './write-modes.ts'

interface ModelSummarizerOptions extends PromptLimits {
  computeCostUsd?: ComputeCostUsd
  countUnusable?: ModelContext['countUnusable']
  beginWithinMs?: number
}

/** Long prompts take seconds. Beyond this time, writing the document to the cache again costs less than waiting. */
const DEFAULT_BEGIN_WITHIN_MS = 60_000
/** Maximum depth of notes on notes: each round makes a document several times shorter. */
const MAX_ROUNDS = 8
/** If a round leaves a larger share of the document than this, another one would not help either. */
const MAX_SHARE_LEFT = 0.9
const MIN_PART_TOKENS = 500
/** Marks of roles, a request to repair an answer, and the words before a part. */
const FRAME_MARGIN = 250

/** A source with everything that is derived from it. */
interface SummaryTask {
  context: ModelContext
  source: SummarySource
  lines: PromptLine[]
  tokens: number
  outputOptions: OutputOptions
  checks: ReturnType<typeof createChecks>
  injectionSuspected: boolean
  limits: PromptLimits
  /** Of the lines of one prompt. */
  maxLineTokens: number
  pace: Pace
  onSummary: SummarizeOptions['onSummary']
  notes: SummarizeOptions['notes']
}

const createWritingTask = (
  task: SummaryTask,
  { document, evidence, kind }: { document: string; evidence: Evidence; kind: keyof SummaryTask['checks'] },
  provenance: Pick<WritingTask['provenance'], 'strategy' | 'chunks'>,
): WritingTask => ({
  source: task.source,
  document,
  outputOptions: { ...task.outputOptions, isQuoting: kind === 'lines' && task.outputOptions.isQuoting },
  check: { ...task.checks[kind], evidence },
  provenance: { ...provenance, injectionSuspected: task.injectionSuspected },
  pace: task.pace,
  onSummary: task.onSummary,
})

/** Minimum tokens for the lines of a part. The reader's instructions or the publisher's texts can leave less. */
const MIN_LINE_TOKENS = 200

async function writeAll(task: SummaryTask, modes: SummaryMode[]): Promise<FailedMode[]> {
  const { tokens, maxLineTokens } = task
  if (tokens <= maxLineTokens) return writeFromTranscript(task, modes)
  if (maxLineTokens < MIN_LINE_TOKENS) return failAll(modes, 'too-long')
  return writeFromNotes(task, modes, maxLineTokens * PART_SHARE)
}

/** Writes from the whole transcript, and from notes those modes for which it proves too long for the model. */
async function writeFromTranscript(task: SummaryTask, modes: SummaryMode[]): Promise<FailedMode[]> {
  const { context, source, lines } = task
  const transcript = {
    document: buildDocument(source, lines, { kind: 'transcript', isShort: isSmallContext(task.limits) }),
    evidence: buildPassageEvidence(buildTranscriptEvidence(source.cues), createPassageFinder(lines)),
    kind: 'lines' as const,
  }
  const combined = createWritingTask(task, transcript, { strategy: 'combined', chunks: 1 })
  const isTogether = modes.length > 1 && task.tokens <= MAX_TOGETHER_TOKENS && !isSmallContext(task.limits)
  const left = isTogether ? await writeTogether(context, combined, modes) : modes
  if (left instanceof ServiceError) return failAll(modes, left)
  const separate = createWritingTask(task, transcript, { strategy: 'per_mode', chunks: 1 })
  const failed = await writeModes(context, separate, left)
  const tooMuch = failed.filter(({ failure }) => failure === 'cut' || failure === 'too-long')
  if (tooMuch.length === 0 || task.tokens < 2 * MIN_PART_TOKENS) return failed
  const others = failed.filter((entry) => !tooMuch.includes(entry))
  const again = tooMuch.map(({ mode }) => mode)
  return [...others, ...(await writeFromNotes(task, again, task.tokens / 2))]
}

/** Takes notes on each part and writes from the notes, which cite the segments of the transcript. */
async function writeFromNotes(task: SummaryTask, modes: SummaryMode[], maxPartTokens: number): Promise<FailedMode[]> {
  const { context, source, outputOptions, checks, pace, notes: store } = task
  const maxTokens = task.maxLineTokens
  const isShort = isSmallContext(task.limits)
  let notes: Note[] = []
  let lines = task.lines
  let chunks = 0
  let tokens = task.tokens
  for (let round = 0; round === 0 || (tokens > maxTokens && round < MAX_ROUNDS); round++) {
    const previous = notes
    const result = await takeNotes(context, {
      source,
      lines,
      kind: round === 0 ? 'transcript' : 'notes',
      outputOptions: {
        ...outputOptions,
        isQuoting: round === 0 && outputOptions.isQuoting,
        ...(isShort && { maxWords: countWords(maxPartTokens / 2) }),
      },
      maxPartTokens,
      isShort,
      evidenceOf: (first, last) =>
        previous.length > 0
          ? buildNotesEvidence(source.cues, previous, first, last)
          : buildPassageEvidence(buildTranscriptEvidence(source.cues, first, last), createPassageFinder(task.lines)),
      check: round === 0 ? checks.lines : checks.notes,
      pace,
      store,
    })
    if ('failure' in result) return failAll(modes, result.failure)
    notes = result.notes
    chunks += result.parts
    lines = numberNotes(task, notes)
    const left = countLineTokens(lines)
    if (left > maxTokens && left > tokens * MAX_SHARE_LEFT) break
    tokens = left
  }
  if (countLineTokens(lines) > maxTokens) return failAll(modes, 'too-long')
  const noted = {
    document: buildDocument(source, lines, { kind: 'notes', isShort }),
    evidence: buildNotesEvidence(source.cues, notes),
    kind: 'notes' as const,
  }
  return writeModes(context, createWritingTask(task, noted, { strategy: 'map_reduce', chunks }), modes)
}

const failAll = (modes: SummaryMode[], failure: RequestFailure): FailedMode[] =>
  modes.map((mode) => ({ mode, failure }))

function numberNotes({ source }: SummaryTask, notes: Note[]): PromptLine[] {
  const upcoming = orderChapters(source.video)
  return notes.map(({ text, segmentIds }, index) => {
    const startMs = source.cues[(segmentIds[0] ?? 1) - 1]?.startMs ?? 0
    return { id: index + 1, text, startMs, chapters: takeChapters(upcoming, startMs) }
  })
}

/** Returns the version of prompts of this length at most; part of the cache key of summaries. */
export const buildPromptVersion = ({
  maxPromptTokens = DEFAULT_MAX_PROMPT_TOKENS,
  contextTokens,
}: PromptLimits = {}): string =>
  [PROMPT_VERSION, maxPromptTokens, ...(contextTokens === undefined ? [] : [contextTokens])].join('/')

/** Estimates the tokens of a prompt without the lines of its document, for the longest of its instructions. */
function countFrameTokens(source: SummarySource, modes: SummaryMode[], outputOptions: OutputOptions): number {
  const { summariesOf, notes } = selectSchemas(outputOptions.isQuoting ?? false)
  const asked = [
    ...modes.map((mode) => buildInstruction([mode], outputOptions) + JSON.stringify(summariesOf([mode]))),
    buildNotesInstruction(99, 99, outputOptions) + JSON.stringify(notes),
  ]
  const head = buildDocument(source, [], { kind: 'transcript', isShort: true })
  return FRAME_MARGIN + estimateTokens(SYSTEM_RULES + head) + Math.max(...asked.map(estimateTokens))
}

/**
 * Creates a summarizer that uses a language model. Short transcripts take one request for all modes; longer ones one per
 * mode, over the same cached document; those that do not fit into a prompt are read in parts, and the summaries are written
 * from the notes. Every claim is checked against the segments it cites.
 */
export function createModelSummarizer(model: TextModel, options: ModelSummarizerOptions = {}): Summarizer {
  const {
    computeCostUsd = createCostComputer(),
    maxPromptTokens,
    contextTokens,
    countUnusable = () => {},
    beginWithinMs = DEFAULT_BEGIN_WITHIN_MS,
  } = options
  const limits = { maxPromptTokens, contextTokens }
  return {
    model: model.model,
    promptVersion: buildPromptVersion(limits),
    canTranslate: true,
    readsInParts: (cues) =>
      cues.reduce((sum, { text }) => sum + estimateTokens(text), 0) > computeMaxLineTokens(limits, 0),
    async summarize(given, modes, { signal, reserve, onSummary, onSpending, notes, findOwnCache }) {
      signal.throwIfAborted()
      if (modes.length === 0) return []
      const source = { ...given, cues: nameSpeakers(given.cues) }
      const pace = createPacer(signal)
      const language = source.outputLanguage ?? source.track.language
      const isQuoting = !isWrittenAlike(source.track.language, language)
      const minutes = measureMinutes(source)
      const outputOptions: OutputOptions = { language, focus: source.instructions, isQuoting, minutes }
      if (contextTokens !== undefined && isSmallContext(limits)) {
        outputOptions.maxWords = countWords(countAnswerTokens(contextTokens))
      }
      const maxLineTokens = computeMaxLineTokens(limits, countFrameTokens(source, modes, outputOptions))
      const spoken = await buildTranscriptLines(source, pace)
      const lines = joinPassages(spoken)
      const tokens = countLineTokens(lines)
      const ownCache = await findOwnCache?.()
      const task: SummaryTask = {
        context: {
          model,
          video: source.video,
          computeCostUsd,
          signal,
          reserve,
          onSpending,
          countUnusable,
          beginWithinMs,
          ownDocuments: ownCache?.isOwn ? null : new Set<string>(),
          isCacheKept: ownCache?.isKept ?? false,
        },
        source,
        lines,
        tokens,
        outputOptions,
        checks: createChecks(source, outputOptions, { lines: spoken, passages: lines }),
        injectionSuspected: await suspectInjection(source, pace),
        limits,
        maxLineTokens,
        // An answer that has arrived is billed, so it is checked and kept even if the work was aborted in the meantime.
        pace: createPacer(new AbortController().signal),
        onSummary,
        notes,
      }
      const failed = await writeAll(task, modes)
      return failed.map(({ mode, failure }) => ({ mode, ...explainFailure(failure) }))
    },
  }
}
