import {
  type CostReservation,
  type ReserveCost,
  ServiceError,
  type Spending,
  type SpendingPurpose,
  type SummaryMode,
  type SummaryUsage,
  type VideoInfo,
} from '@subtext/contracts'
import {
  type CacheDuration,
  type ComputeCostUsd,
  type TextModel,
  type TextModelAnswer,
  type TextModelUsage,
  withoutCacheReads,
} from '@subtext/llm'
import type { Metrics } from '@subtext/runtime'
import { buildRepair, REPAIR_REASONS, type RepairReason } from '../prompts/instruction.ts'
import { buildSystem } from '../prompts/rules.ts'
import type { UnwrittenSummary } from '../summarizer.ts'
import { priceUsage } from './usage.ts'

/** Options shared by all model requests of one piece of work. */
export interface ModelContext {
  model: TextModel
  /** What is written about. */
  video: VideoInfo
  computeCostUsd: ComputeCostUsd
  signal: AbortSignal
  /** Sets the cost of each call aside. Default: nothing is set aside. */
  reserve?: ReserveCost
  onSpending(spending: Spending): Promise<void>
  /** Called for every answer that cannot be used. */
  countUnusable(labels: { reason: RepairReason }): void
  /**
   * Documents that the account itself has sent. Only cached tokens of these count as cached in its usage: see
   * `withoutCacheReads`. Null stands for all documents.
   */
  ownDocuments: Set<string> | null
  /** Whether the account's earlier calls keep the transcript in the provider's cache. */
  isCacheKept: boolean
  /** How long requests wait for the request that writes the cache for them, counted from when it is sent. */
  beginWithinMs: number
}

/** Creates the counter for `countUnusable`. */
export const createUnusableCounter = ({ counter }: Pick<Metrics, 'counter'>): ModelContext['countUnusable'] =>
  counter('subtext_model_unusable_answers_total', 'Answers of the language model that were discarded.', {
    reason: REPAIR_REASONS,
  })

export interface ModelRequest<T> {
  document: string
  /** See `TextModelPrompt`. */
  cacheDocument: CacheDuration | null
  instruction: string
  /** Absent: the instruction describes the answer. */
  schema?: Record<string, unknown>
  /** See `TextModelPrompt`. */
  plainSchema?: Record<string, unknown>
  maxOutputTokens: number
  /** The mode that a failed attempt is charged to; null if the request serves several. */
  mode: SummaryMode | null
  /** Returns the value of a usable answer, or why it cannot be used. */
  read(text: string): Promise<{ value: T } | { fault: RepairReason }>
  /** Attempts in all. After an unusable answer the instruction asks for a repair; after a cut one the limit is doubled. */
  maxAttempts?: number
  onSend?: () => void
  onStart?: () => void
}

/** Why there is no answer; a `ServiceError` if the model, or the connection to it, failed. */
export type RequestFailure = 'refused' | 'too-long' | 'cut' | RepairReason | ServiceError

/** The receiver of a value releases the reservation in its usage once it has recorded the cost. */
export type ModelResult<T> = { value: T; text: string; usage: SummaryUsage } | { failure: RequestFailure }

/** Whether a request was not made because its cost does not fit into a limit. */
export const isOverLimit = (failure: unknown): boolean =>
  failure instanceof ServiceError && failure.code === 'QUOTA_EXCEEDED'

const MAX_ATTEMPTS = 2

/**
 * Makes one request and records the cost of every attempt without a result. Rejects only with errors that end the whole work.
 */
export async function askModel<T>(context: ModelContext, request: ModelRequest<T>): Promise<ModelResult<T>> {
  const model = context.model.model
  let { instruction, maxOutputTokens } = request
  let failure: RequestFailure = 'empty'
  for (let attempt = 0; attempt < (request.maxAttempts ?? MAX_ATTEMPTS); attempt++) {
    const answer = await callModel(context, { ...request, instruction, maxOutputTokens })
    if (answer instanceof ServiceError) return { failure: answer }
    const usage = priceUsage(model, answer.usage, context.computeCostUsd, answer.reservation)
    const recordLoss = (purpose: SpendingPurpose) =>
      recordSpending(context, { purpose, mode: request.mode, model, usage })
    if (answer.stop === 'refused' || answer.stop === 'too-long') {
      await recordLoss(answer.stop === 'refused' ? 'refused' : 'unusable')
      return { failure: answer.stop }
    }
    if (answer.stop === 'cut') {
      await recordLoss('unusable')
      // The same limit would cut the answer again.
      maxOutputTokens *= 2
      failure = 'cut'
      continue
    }
    const result = await request.read(answer.text)
    if ('value' in result) return { value: result.value, text: answer.text, usage }
    await recordLoss('unusable')
    context.countUnusable({ reason: result.fault })
    instruction = buildRepair(request.instruction, result.fault)
    failure = result.fault
  }
  return { failure }
}

/** Records what is billed and belongs to no summary, and ends its reservation. */
export async function recordSpending(
  { onSpending }: Pick<ModelContext, 'onSpending'>,
  spending: Spending,
): Promise<void> {
  await onSpending(spending)
  await spending.usage.reservation?.release()
}

async function callModel<T>(context: ModelContext, request: ModelRequest<T>): Promise<TextModelAnswer | ServiceError> {
  const { model, computeCostUsd, signal, reserve, ownDocuments } = context
  const failed: { usage: TextModelUsage; reservation: CostReservation | undefined }[] = []
  let isOwn = false
  const show = (usage: TextModelUsage) => (isOwn ? usage : withoutCacheReads(usage, request.cacheDocument))
  try {
    const answer = await model.complete({
      system: buildSystem(context.video),
      document: request.document,
      cacheDocument: request.cacheDocument,
      instruction: request.instruction,
      schema: request.schema,
      plainSchema: request.plainSchema,
      maxOutputTokens: request.maxOutputTokens,
      signal,
      onSend: () => {
        isOwn = ownDocuments?.has(request.document) ?? true
        request.onSend?.()
      },
      onStart: () => {
        ownDocuments?.add(request.document)
        request.onStart?.()
      },
      reserve,
      onFailedAttempt: (usage, reservation) => failed.push({ usage: show(usage), reservation }),
    })
    return { ...answer, usage: show(answer.usage) }
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    return error
  } finally {
    for (const attempt of failed) {
      const usage = priceUsage(model.model, attempt.usage, computeCostUsd, attempt.reservation)
      await recordSpending(context, { purpose: 'failed', mode: request.mode, model: model.model, usage })
    }
  }
}

/** For failures that another attempt would repeat: the default message asks to retry. */
const FINAL_MESSAGES = {
  declined: 'The language model declined to write the summary. Trying again does not help.',
  'too-long': 'The transcript is too long for the language model. Trying again does not help.',
  unusable: 'The answers of the language model were cut off. Trying again does not help.',
}

/** Explains why a summary is missing. It is retryable only if another attempt may get a different answer. */
export function explainFailure(failure: RequestFailure): Omit<UnwrittenSummary, 'mode'> {
  if (isOverLimit(failure))
    return { reason: 'over-limit', error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false }) }
  if (failure instanceof ServiceError) return { reason: 'unavailable', error: failure }
  const reason = failure === 'refused' ? 'declined' : failure === 'too-long' ? 'too-long' : 'unusable'
  const retryable = reason === 'unusable' && failure !== 'cut'
  const message = retryable ? undefined : FINAL_MESSAGES[reason]
  return { reason, error: new ServiceError('SUMMARY_UNAVAILABLE', { message, retryable }) }
}
