import { ServiceError, type Summary, type SummaryMode, type SummaryQuality } from '@subtext/contracts'
import type { CacheDuration } from '@subtext/llm'
import { computeCoverage } from '../coverage.ts'
import type { Pace } from '../pacer.ts'
import { selectSchemas } from '../prompts/answer-schema.ts'
import { buildInstruction, MODE_PROMPTS, type OutputOptions, type RepairReason } from '../prompts/instruction.ts'
import type { SummarizeOptions, SummarySource } from '../summarizer.ts'
import { askModel, isOverLimit, type ModelContext, type RequestFailure } from './ask-model.ts'
import { type CheckedDraft, checkDraft, type DraftCheck } from './check-draft.ts'
import { nameSections } from './name-sections.ts'
import { parseSummaries } from './parse-answer.ts'
import { splitUsage } from './usage.ts'

/** Summaries to be written from one document. */
export interface WritingTask {
  source: SummarySource
  document: string
  outputOptions: OutputOptions
  check: DraftCheck
  /** The strategy of the summaries, for their quality report. */
  provenance: Pick<SummaryQuality, 'strategy' | 'chunks' | 'injectionSuspected'>
  pace: Pace
  onSummary: SummarizeOptions['onSummary']
}

const isQuotingOf = ({ outputOptions }: WritingTask): boolean => outputOptions.isQuoting ?? false

function schemasOf(task: WritingTask, modes: readonly SummaryMode[]) {
  const { summaries, summariesOf } = selectSchemas(isQuotingOf(task))
  return { schema: summaries, plainSchema: summariesOf(modes) }
}

export interface FailedMode {
  mode: SummaryMode
  failure: RequestFailure
}

function buildSummary(
  context: ModelContext,
  task: WritingTask,
  mode: SummaryMode,
  draft: CheckedDraft,
): Omit<Summary, 'usage'> {
  const { cues } = task.source
  const { content: checked, ...counts } = draft
  const content = mode === 'timestamped' ? checked : nameSections(checked, cues)
  const coverage = computeCoverage(content, cues)
  return { mode, content, model: context.model.model, quality: { ...counts, ...task.provenance, coverage } }
}

/** Writes one mode with its own request. Returns null once it is written. */
async function writeMode(
  context: ModelContext,
  task: WritingTask,
  mode: SummaryMode,
  progress: { onSend: () => void; onStart: () => void; cacheDocument: CacheDuration | null },
): Promise<FailedMode | null> {
  const result = await askModel(context, {
    document: task.document,
    cacheDocument: progress.cacheDocument,
    instruction: buildInstruction([mode], task.outputOptions),
    ...schemasOf(task, [mode]),
    maxOutputTokens: MODE_PROMPTS[mode].maxOutputTokens,
    mode,
    onSend: progress.onSend,
    onStart: progress.onStart,
    async read(text) {
      const parsed = parseSummaries(text, [mode], isQuotingOf(task)).get(mode)
      if (!parsed || 'fault' in parsed) return parsed ?? { fault: 'structure' }
      return checkDraft(mode, parsed.value, task.check, task.pace)
    },
  })
  if ('failure' in result) return { mode, failure: result.failure }
  await task.onSummary({ ...buildSummary(context, task, mode, result.value), usage: result.usage })
  await result.usage.reservation?.release()
  return null
}

/**
 * Writes every mode with its own request. The first answer has to begin before the other requests are sent: they then read the
 * document from the provider's cache instead of paying to write it. If it does not begin in time, they are sent anyway. Rejects
 * only with errors that end the whole work.
 */
export async function writeModes(outer: ModelContext, task: WritingTask, modes: SummaryMode[]): Promise<FailedMode[]> {
  const stop = new AbortController()
  const context = { ...outer, signal: AbortSignal.any([outer.signal, stop.signal]) }
  const works: Promise<FailedMode | null>[] = []
  // Writing to the cache costs a quarter more, which pays only if another request reads it.
  const cacheDocument = modes.length > 1 || outer.isCacheKept ? '5m' : null
  let mayFollow = false
  for (const mode of modes) {
    if (context.signal.aborted) break
    let onStart = () => {}
    const started = new Promise<void>((resolve) => {
      onStart = () => {
        mayFollow = true
        resolve()
      }
    })
    let timer: NodeJS.Timeout | undefined
    const onSend = () => {
      timer ??= setTimeout(onStart, context.beginWithinMs)
    }
    const work = writeMode(context, task, mode, { onSend, onStart, cacheDocument })
    const ended = work.catch((error) => stop.abort(error)).finally(() => clearTimeout(timer))
    works.push(work)
    if (!mayFollow) await Promise.race([started, ended])
  }
  const outcomes = await Promise.allSettled(works)
  context.signal.throwIfAborted()
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []))
}

/** Writes all modes with one request. Returns those left for requests of their own, or the error that would end these too. */
export async function writeTogether(
  context: ModelContext,
  task: WritingTask,
  modes: SummaryMode[],
): Promise<SummaryMode[] | ServiceError> {
  const result = await askModel(context, {
    document: task.document,
    cacheDocument: null,
    instruction: buildInstruction(modes, task.outputOptions),
    ...schemasOf(task, modes),
    maxOutputTokens: Math.max(...modes.map((mode) => MODE_PROMPTS[mode].maxOutputTokens)),
    mode: null,
    maxAttempts: 1,
    read: (text) => readTogether(task, modes, text),
  })
  if ('failure' in result) {
    // A request for one mode may cost less.
    return result.failure instanceof ServiceError && !isOverLimit(result.failure) ? result.failure : modes
  }
  const drafts = [...result.value]
  const usages = splitUsage(
    result.usage,
    drafts.map(([, { content }]) => JSON.stringify(content).length),
  )
  for (const [index, [mode, draft]] of drafts.entries()) {
    const usage = usages[index]
    if (usage) await task.onSummary({ ...buildSummary(context, task, mode, draft), usage })
  }
  await result.usage.reservation?.release()
  return modes.filter((mode) => !result.value.has(mode))
}

/** Returns the usable summaries of an answer. The fault is that of the last unusable one. */
async function readTogether(
  task: WritingTask,
  modes: SummaryMode[],
  text: string,
): Promise<{ value: Map<SummaryMode, CheckedDraft> } | { fault: RepairReason }> {
  const drafts = new Map<SummaryMode, CheckedDraft>()
  let fault: RepairReason = 'structure'
  for (const [mode, parsed] of parseSummaries(text, modes, isQuotingOf(task))) {
    const checked = 'fault' in parsed ? parsed : await checkDraft(mode, parsed.value, task.check, task.pace)
    if ('value' in checked) drafts.set(mode, checked.value)
    else fault = checked.fault
  }
  return drafts.size === 0 ? { fault } : { value: drafts }
}
