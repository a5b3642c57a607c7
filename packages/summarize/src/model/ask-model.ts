import {
  ServiceError,
  type Spending,
  type SpendingPurpose,
  type SummaryMode,
  type SummaryUsage,
} from '@subtext/contracts'
import type { ComputeCostUsd, TextModel, TextModelAnswer, TextModelUsage } from '@subtext/llm'
import { buildRepair, type RepairReason } from '../prompts/instruction.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import type { UnwrittenSummary } from '../summarizer.ts'
import { priceCall } from './spent.ts'

/** What all calls of a piece of work have in common. */
export interface Desk {
  model: TextModel
  computeCostUsd: ComputeCostUsd
  signal: AbortSignal
  onSpending(spending: Spending): Promise<void>
  /** Told of every answer that is of no use. */
  countUnusable(labels: { reason: RepairReason }): void
  /** How long calls wait for the one that is to write the cache for them, once that is sent. */
  beginWithinMs: number
}

export interface Question<T> {
  document: string
  /** See `TextModelCall`. */
  cacheDocument: boolean
  instruction: string
  schema: Record<string, unknown>
  maxOutputTokens: number
  /** Whom a lost try is charged to; null where it would have served several. */
  mode: SummaryMode | null
  /** A usable answer, or why it is none. */
  read(text: string): Promise<{ value: T } | { fault: RepairReason }>
  /** Tries in all; one that is unusable is repaired, one that is cut gets more room. */
  tries?: number
  onSend?: () => void
  onStart?: () => void
}

/** Why there is no answer: a `ServiceError` where the model itself, or the way to it, has failed. */
export type AskFailure = 'refused' | 'too-long' | 'cut' | RepairReason | ServiceError

export type Asked<T> = { value: T; text: string; usage: SummaryUsage } | { failure: AskFailure }

const MAX_TRIES = 2

/** One question, with what every try that brought nothing has cost written down. Rejects only for what ends the work. */
export async function askModel<T>(desk: Desk, question: Question<T>): Promise<Asked<T>> {
  let { instruction, maxOutputTokens: room } = question
  let failure: AskFailure = 'empty'
  for (let tried = 0; tried < (question.tries ?? MAX_TRIES); tried++) {
    const answer = await callModel(desk, question, instruction, room)
    if (answer instanceof ServiceError) return { failure: answer }
    const usage = priceCall(desk.model.model, answer.usage, desk.computeCostUsd)
    const lose = (purpose: SpendingPurpose) =>
      desk.onSpending({ purpose, mode: question.mode, model: desk.model.model, usage })
    if (answer.stop === 'refused' || answer.stop === 'too-long') {
      await lose(answer.stop === 'refused' ? 'refused' : 'unusable')
      return { failure: answer.stop }
    }
    if (answer.stop === 'cut') {
      await lose('unusable')
      // The same room would end the same way.
      room *= 2
      failure = 'cut'
      continue
    }
    const read = await question.read(answer.text)
    if ('value' in read) return { value: read.value, text: answer.text, usage }
    await lose('unusable')
    desk.countUnusable({ reason: read.fault })
    instruction = buildRepair(question.instruction, read.fault)
    failure = read.fault
  }
  return { failure }
}

async function callModel<T>(
  { model, computeCostUsd, signal, onSpending }: Desk,
  { document, cacheDocument, schema, mode, onSend, onStart }: Question<T>,
  instruction: string,
  maxOutputTokens: number,
): Promise<TextModelAnswer | ServiceError> {
  const losses: TextModelUsage[] = []
  const what = { system: SYSTEM_RULES, document, cacheDocument, instruction, schema, maxOutputTokens }
  const call = { ...what, signal, onSend, onStart }
  try {
    return await model.complete({ ...call, onFailedAttempt: (usage) => losses.push(usage) })
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    return error
  } finally {
    for (const usage of losses) {
      await onSpending({
        purpose: 'failed',
        mode,
        model: model.model,
        usage: priceCall(model.model, usage, computeCostUsd),
      })
    }
  }
}

/** Why a summary for which there is no answer is missing. Another try helps only where it may be answered otherwise. */
export function explainFailure(failure: AskFailure): Omit<UnwrittenSummary, 'mode'> {
  if (failure instanceof ServiceError) return { reason: 'unavailable', error: failure }
  const reason = failure === 'refused' ? 'declined' : failure === 'too-long' ? 'too-long' : 'unusable'
  const retryable = reason === 'unusable' && failure !== 'cut'
  return { reason, error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable }) }
}
