import { ServiceError, type Summary, type SummaryMode, type SummaryQuality } from '@subtext/contracts'
import { computeCoverage } from '../coverage.ts'
import type { Pace } from '../pacer.ts'
import { ANSWER_SCHEMA } from '../prompts/answer-schema.ts'
import { buildInstruction, MODE_PROMPTS, type RepairReason, type Wishes } from '../prompts/instruction.ts'
import type { SummarizeOptions, SummarySource } from '../summarizer.ts'
import { type AskFailure, askModel, type Desk } from './ask-model.ts'
import type { ClaimCheck } from './check-claim.ts'
import { type CheckedDraft, checkDraft } from './check-draft.ts'
import { parseSummaries } from './parse-answer.ts'
import { shareUsage } from './spent.ts'
import { nameSections } from './unnamed-sections.ts'

/** Summaries to be written from one document. */
export interface Writing {
  source: SummarySource
  document: string
  wishes: Wishes
  check: ClaimCheck
  /** What is said of how they came about. */
  provenance: Pick<SummaryQuality, 'strategy' | 'chunks' | 'injectionSuspected'>
  pace: Pace
  onSummary: SummarizeOptions['onSummary']
}

export interface Unwritten {
  mode: SummaryMode
  failure: AskFailure
}

const buildSummary = (desk: Desk, writing: Writing, mode: SummaryMode, draft: CheckedDraft): Omit<Summary, 'usage'> => {
  const { cues } = writing.source
  const { content: checked, ...counts } = draft
  const content = mode === 'timestamped' ? checked : nameSections(checked, cues)
  const coverage = computeCoverage(content, cues)
  return { mode, content, model: desk.model.model, quality: { ...counts, ...writing.provenance, coverage } }
}

/** One mode by a call of its own. */
async function writeMode(
  desk: Desk,
  writing: Writing,
  mode: SummaryMode,
  progress: { onSend: () => void; onStart: () => void },
): Promise<Unwritten | null> {
  const asked = await askModel(desk, {
    document: writing.document,
    cacheDocument: true,
    instruction: buildInstruction([mode], writing.wishes),
    schema: ANSWER_SCHEMA,
    maxOutputTokens: MODE_PROMPTS[mode].maxOutputTokens,
    mode,
    ...progress,
    async read(text) {
      const parsed = parseSummaries(text, [mode]).get(mode)
      if (!parsed || 'fault' in parsed) return parsed ?? { fault: 'structure' }
      return checkDraft(mode, parsed.value, writing.check, writing.pace)
    },
  })
  if ('failure' in asked) return { mode, failure: asked.failure }
  await writing.onSummary({ ...buildSummary(desk, writing, mode, asked.value), usage: asked.usage })
  return null
}

/**
 * Every mode by a call of its own. The first one has to begin before the others are sent: they then read the document
 * from the provider's cache instead of paying to write it. One that does not begin in time holds them up no longer.
 * Rejects only for what ends the whole work.
 */
export async function writeModes(outer: Desk, writing: Writing, modes: SummaryMode[]): Promise<Unwritten[]> {
  const stop = new AbortController()
  const desk = { ...outer, signal: AbortSignal.any([outer.signal, stop.signal]) }
  const works: Promise<Unwritten | null>[] = []
  let mayFollow = false
  for (const mode of modes) {
    if (desk.signal.aborted) break
    let onStart = () => {}
    const followed = new Promise<void>((resolve) => {
      onStart = () => {
        mayFollow = true
        resolve()
      }
    })
    let timer: NodeJS.Timeout | undefined
    const onSend = () => {
      timer ??= setTimeout(onStart, desk.beginWithinMs)
    }
    const work = writeMode(desk, writing, mode, { onSend, onStart })
    const ended = work.catch((error) => stop.abort(error)).finally(() => clearTimeout(timer))
    works.push(work)
    if (!mayFollow) await Promise.race([followed, ended])
  }
  const outcomes = await Promise.allSettled(works)
  desk.signal.throwIfAborted()
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []))
}

/** All modes in one call. Returns those that are left to calls of their own, or why these would be in vain. */
export async function writeTogether(
  desk: Desk,
  writing: Writing,
  modes: SummaryMode[],
): Promise<SummaryMode[] | ServiceError> {
  const asked = await askModel(desk, {
    document: writing.document,
    cacheDocument: false,
    instruction: buildInstruction(modes, writing.wishes),
    schema: ANSWER_SCHEMA,
    maxOutputTokens: Math.max(...modes.map((mode) => MODE_PROMPTS[mode].maxOutputTokens)),
    mode: null,
    tries: 1,
    async read(text): Promise<{ value: Map<SummaryMode, CheckedDraft> } | { fault: RepairReason }> {
      const drafts = new Map<SummaryMode, CheckedDraft>()
      let fault: RepairReason = 'structure'
      for (const [mode, parsed] of parseSummaries(text, modes)) {
        const checked = 'fault' in parsed ? parsed : await checkDraft(mode, parsed.value, writing.check, writing.pace)
        if ('value' in checked) drafts.set(mode, checked.value)
        else fault = checked.fault
      }
      if (drafts.size === 0) return { fault }
      return { value: drafts }
    },
  })
  if ('failure' in asked) return asked.failure instanceof ServiceError ? asked.failure : modes
  const drafts = [...asked.value]
  const usages = shareUsage(
    asked.usage,
    drafts.map(([, { content }]) => JSON.stringify(content).length),
  )
  for (const [index, [mode, draft]] of drafts.entries()) {
    const usage = usages[index]
    if (usage) await writing.onSummary({ ...buildSummary(desk, writing, mode, draft), usage })
  }
  return modes.filter((mode) => !asked.value.has(mode))
}
