import {
  EXTRACTIVE,
  RECEIPT_REASONS,
  type ReceiptAction,
  type ReceiptLine,
  type ReceiptReason,
  type SpendingPurpose,
} from '@subtext/contracts'
import type { BilledJob, BilledQuota, BilledSpending, BilledSummary, DeletedCosts, UsageEntry } from './receipts-sql.ts'

type LineFields = Omit<ReceiptLine, 'at' | 'message' | 'reason' | 'cost_usd'> & { cost_usd?: number }

const newLine = (at: Date, reason: ReceiptReason, line: LineFields): ReceiptLine => ({
  at: at.toISOString(),
  cost_usd: 0,
  ...line,
  reason,
  message: RECEIPT_REASONS[reason],
})

/** Returns what was charged for a job, in chronological order. */
export function buildJobLines(job: BilledJob): ReceiptLine[] {
  const lines = [
    ...(job.quota.length > 0 ? job.quota.map((entry) => buildQuotaLine(job, entry)) : [buildFreeLine(job)]),
    ...buildPlatformLines(job),
    ...job.summaries.map((summary) => buildSummaryLine(job, summary)),
    ...job.spendings.map(buildSpendingLine),
  ]
  // The sort is stable, so that lines of the same moment stay in this order.
  return lines.sort((one, other) => compare(one.at, other.at))
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

function buildQuotaLine(
  { errorCode }: Pick<BilledJob, 'errorCode'>,
  { at, kind, keptBecause }: BilledQuota,
): ReceiptLine {
  if (kind === 'reserve') {
    return newLine(at, keptBecause ?? 'accepted', { kind: 'quota', action: 'reserve', quantity: 1, unit: 'video' })
  }
  const reason = errorCode === 'JOB_CANCELLED' ? 'job_cancelled' : 'job_failed'
  return newLine(at, reason, { kind: 'quota', action: 'release', quantity: -1, unit: 'video' })
}

const buildFreeLine = ({ derivedFrom, createdAt }: BilledJob): ReceiptLine =>
  newLine(createdAt, derivedFrom === null ? 'unlimited' : 'derived', {
    kind: 'quota',
    action: 'reserve',
    quantity: 0,
    unit: 'video',
  })

/** There is no line for a job that has not sent a request yet, or that ran before requests were counted. */
function buildPlatformLines({ derivedFrom, platformRequests, status, createdAt, startedAt }: BilledJob): ReceiptLine[] {
  const quantity = platformRequests ?? 0
  if (quantity === 0 && (platformRequests === null || status !== 'completed')) return []
  const reason = derivedFrom !== null ? 'source_transcript' : quantity > 0 ? 'requested' : 'available'
  return [newLine(startedAt ?? createdAt, reason, { kind: 'platform', action: 'fetch', quantity, unit: 'request' })]
}

function buildSummaryLine(job: BilledJob, { at, mode, model, tokens, costUsd, reused }: BilledSummary): ReceiptLine {
  const line = { kind: 'model', action: 'summary', mode, model, unit: 'token' } as const
  if (job.derivedFrom !== null && !job.modes.includes(mode)) return newLine(at, 'source', { ...line, quantity: 0 })
  if (reused) return newLine(at, 'reused', { ...line, quantity: 0, saved_usd: costUsd })
  return newLine(at, model === EXTRACTIVE ? 'extractive' : 'written', { ...line, quantity: tokens, cost_usd: costUsd })
}

const SPENDINGS: Record<SpendingPurpose, { action: ReceiptAction; reason: ReceiptReason }> = {
  notes: { action: 'notes', reason: 'long_video' },
  infographic: { action: 'infographic', reason: 'drawn' },
  extraction: { action: 'extraction', reason: 'extracted' },
  refused: { action: 'attempt', reason: 'refused' },
  unusable: { action: 'attempt', reason: 'unusable' },
  failed: { action: 'attempt', reason: 'interrupted' },
}

function buildSpendingLine({ at, purpose, mode, model, tokens, costUsd }: BilledSpending): ReceiptLine {
  const { action, reason } = SPENDINGS[purpose]
  return newLine(at, reason, {
    kind: 'model',
    action,
    ...(mode !== null && { mode }),
    model,
    quantity: tokens,
    unit: 'token',
    cost_usd: costUsd,
  })
}

/** Returns what is left of the receipt of a deleted job: its effect on the quota, and the sum of its costs. */
export function buildDeletedLines({ quota, tokens, costUsd, at }: DeletedCosts): ReceiptLine[] {
  return [
    ...quota.map((entry) => buildQuotaLine({ errorCode: null }, entry)),
    newLine(at, 'deleted', { kind: 'model', action: 'total', quantity: tokens, unit: 'token', cost_usd: costUsd }),
  ].sort((one, other) => compare(one.at, other.at))
}

/** Returns what an answer in a chat, or a digest, has cost. */
export const buildChatLine = ({ at, digestId, model, outcome, tokens, costUsd }: UsageEntry): ReceiptLine =>
  newLine(at, outcome === 'failed' ? 'interrupted' : selectReason(digestId, model), {
    kind: 'model',
    action: digestId === null ? 'chat' : 'digest',
    ...(model !== null && { model }),
    quantity: tokens,
    unit: 'token',
    cost_usd: costUsd,
  })

function selectReason(digestId: string | null, model: string | null): ReceiptReason {
  if (digestId !== null) return 'digested'
  return model === EXTRACTIVE ? 'passages' : 'answered'
}
