import {
  type Cue,
  EXTRACTIVE,
  type InfographicContent,
  type ReserveCost,
  type Spending,
  type Summary,
  type SummaryPoint,
} from '@subtext/contracts'
import { createLeakGuard, createScriptCheck, type Note } from '@subtext/evidence'
import { type ComputeCostUsd, estimateTokens, type TextModel } from '@subtext/llm'
import { askModel, isOverLimit, type ModelContext, recordSpending } from '../model/ask-model.ts'
import { computeMaxLineTokens, isSmallContext, type PromptLimits } from '../model/limits.ts'
import { parseJson } from '../model/parse-answer.ts'
import { createPacer } from '../pacer.ts'
import { escapeLine } from '../prompts/escape-line.ts'
import {
  buildInfographicInstruction,
  INFOGRAPHIC_MAX_OUTPUT_TOKENS,
  INFOGRAPHIC_SCHEMA,
  INFOGRAPHIC_VERSION,
  InfographicForm,
} from '../prompts/infographic.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import { buildDocument, countLineTokens, type PromptLine } from '../prompts/transcript-document.ts'
import type { Summarizer, SummarySource } from '../summarizer.ts'
import { type CheckedForm, checkForm, MIN_CLAIMS } from './check-form.ts'
import { listCheckedPoints, listNumberLines, takeInfographicNotes } from './notes.ts'
import { findParts, measureDensity, measureDuration } from './timeline.ts'

export interface WriteInfographicOptions {
  signal: AbortSignal
  /** Sets the cost of each call of a model aside. Default: nothing is set aside. */
  reserve?: ReserveCost
  /** Called if the cost of the model does not fit into a spending limit, so that no model writes the texts. */
  onOverLimit?: () => void
  /** Called for everything that is billed. */
  onSpending(spending: Spending): Promise<void>
}

type WrittenSummary = Pick<Summary, 'mode' | 'content' | 'model'>

export interface InfographicWriter {
  /** The model name in infographics. */
  readonly model: string
  /** Changes whenever the same summaries would lead to a different infographic; part of the cache key. */
  readonly version: string
  /**
   * Writes the content of an infographic from the summaries of a video. Returns null if there is nothing to show: the summaries
   * have no claims, and the transcript no sentences. Throws the signal's reason once it is aborted.
   */
  write(
    source: SummarySource,
    summaries: readonly WrittenSummary[],
    options: WriteInfographicOptions,
  ): Promise<InfographicContent | null>
}

interface InfographicWriterOptions {
  /** Selects sentences where no model writes the texts. */
  extractive: Summarizer
  /** Null if no model is used. */
  model: TextModel | null
  computeCostUsd?: ComputeCostUsd
  countUnusable?: ModelContext['countUnusable']
  limits?: PromptLimits
}

const SECRETS = [SYSTEM_RULES, buildInfographicInstruction({ language: 'en', focus: null })]
const HEADING_LEAK_WORDS = 4
const isLeak = createLeakGuard(SECRETS)
const isHeadingLeak = createLeakGuard(SECRETS, HEADING_LEAK_WORDS)

/**
 * Creates the writer of infographics. The words of a model are checked against the transcript. Without a model, or if the check
 * leaves too little, the picture shows claims of the summaries or sentences of the transcript.
 */
export const createInfographicWriter = (options: InfographicWriterOptions): InfographicWriter => ({
  model: options.model?.model ?? EXTRACTIVE,
  version: INFOGRAPHIC_VERSION,
  async write(source, summaries, writing) {
    const { signal } = writing
    signal.throwIfAborted()
    const written = summaries.filter(({ model }) => model !== EXTRACTIVE)
    const form = options.model && written.length > 0 ? await askForForm(options, source, written, writing) : null
    const body =
      form ?? composeBody(written.length > 0 ? written : await selectSentences(options.extractive, source, signal))
    if (body.claims.length === 0) return null
    const { cues, video, track, outputLanguage } = source
    const durationMs = measureDuration(video, cues)
    return {
      ...body,
      language: (written.length > 0 ? outputLanguage : null) ?? track.language,
      parts: findParts(video, written, cues, durationMs),
      density: measureDensity(cues, durationMs),
      momentsMs: body.claims.map(({ segmentIds }) => cues[(segmentIds[0] ?? 1) - 1]?.startMs ?? 0),
      durationMs,
      model: form ? (options.model?.model ?? EXTRACTIVE) : (written[0]?.model ?? EXTRACTIVE),
    }
  },
})

async function askForForm(
  { model, computeCostUsd = () => 0, countUnusable = () => {}, limits = {} }: InfographicWriterOptions,
  source: SummarySource,
  summaries: readonly WrittenSummary[],
  { signal, reserve, onOverLimit, onSpending }: WriteInfographicOptions,
): Promise<CheckedForm | null> {
  if (!model) return null
  const { cues, track, outputLanguage, instructions } = source
  const language = outputLanguage ?? track.language
  const instruction = buildInfographicInstruction({ language, focus: instructions })
  const isShort = isSmallContext(limits)
  const head = buildDocument(source, [], { kind: 'notes', isShort })
  const frame = [SYSTEM_RULES, instruction, head, JSON.stringify(INFOGRAPHIC_SCHEMA)]
  const maxTokens = computeMaxLineTokens(limits, FRAME_MARGIN + estimateTokens(frame.join('\n')))
  const numberLines = await listNumberLines(cues, track.language, createPacer(signal))
  const { notes, lines } = fitNotes(cues, { claims: listCheckedPoints(summaries), numberLines }, maxTokens)
  const check = {
    cues,
    notes,
    language,
    spokenLanguage: track.language,
    published: [source.video.title, source.video.channel.name, source.video.description],
    isLeak,
    isHeadingLeak,
    isInScript: outputLanguage === null ? () => true : createScriptCheck(language),
  }
  const result = await askModel(
    {
      model,
      video: source.video,
      computeCostUsd,
      signal,
      reserve,
      onSpending,
      countUnusable,
      ownDocuments: new Set(),
      isCacheKept: false,
      beginWithinMs: 0,
    },
    {
      document: buildDocument(source, lines, { kind: 'notes', isShort }),
      cacheDocument: null,
      instruction,
      schema: INFOGRAPHIC_SCHEMA,
      maxOutputTokens: INFOGRAPHIC_MAX_OUTPUT_TOKENS,
      mode: null,
      async read(text) {
        const json = parseJson(text)
        if ('fault' in json) return json
        const form = InfographicForm.safeParse(json.value)
        if (!form.success) return { fault: 'structure' }
        const value = checkForm(form.data, check)
        return value ? { value } : { fault: 'unsupported' }
      },
    },
  )
  if ('failure' in result) {
    if (isOverLimit(result.failure)) onOverLimit?.()
    return null
  }
  await recordSpending({ onSpending }, { purpose: 'infographic', mode: null, model: model.model, usage: result.usage })
  return result.value
}

/** Marks of roles, and a request to repair an answer. */
const FRAME_MARGIN = 200
const MIN_SHARE = 1 / 16

/** Returns as many notes as fit into a prompt, and their lines. */
function fitNotes(
  cues: readonly Cue[],
  { claims, numberLines }: { claims: readonly Note[]; numberLines: readonly Note[] },
  maxTokens: number,
) {
  for (let share = 1; ; share /= 2) {
    const notes = takeInfographicNotes(claims, numberLines, share)
    const lines = notes.map(
      ({ text, segmentIds }, index): PromptLine => ({
        id: index + 1,
        text: escapeLine(text),
        startMs: cues[(segmentIds[0] ?? 1) - 1]?.startMs ?? 0,
        chapters: [],
      }),
    )
    if (share <= MIN_SHARE || countLineTokens(lines) <= maxTokens) return { notes, lines }
  }
}

/** Selects sentences of the transcript: the best, and others for a short one. None if it has no words. */
async function selectSentences(extractive: Summarizer, source: SummarySource, signal: AbortSignal): Promise<Summary[]> {
  const summaries: Summary[] = []
  await extractive.summarize({ ...source, instructions: null, outputLanguage: null }, ['tldr', 'detailed'], {
    signal,
    onSummary: async (summary) => void summaries.push(summary),
    onSpending: async () => {},
  })
  return summaries
}

const MAX_LENGTH = 180
const MODES_BY_SIZE = ['tldr', 'key_insights', 'detailed', 'study_notes', 'timestamped'] as const

/** Returns claims and sentences unchanged, from the shortest summaries first, in the order of the video. */
function composeBody(summaries: readonly WrittenSummary[]): CheckedForm {
  const bySize = MODES_BY_SIZE.flatMap((mode) => summaries.filter((summary) => summary.mode === mode))
  const points = listCheckedPoints(bySize)
  const short = points.filter(({ text }) => text.length <= MAX_LENGTH)
  const chosen = (short.length > 0 ? short : points.map(shorten)).slice(0, MIN_CLAIMS)
  const claims = chosen.toSorted((a, b) => (a.segmentIds[0] ?? 0) - (b.segmentIds[0] ?? 0))
  return { headline: null, claims, figures: [], isChart: false }
}

const shorten = ({ text, segmentIds }: SummaryPoint): SummaryPoint => ({
  text: text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed().trimEnd()}…` : text,
  segmentIds,
})
