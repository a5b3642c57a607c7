import type { ReceiptLine, UsageReceipt } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { NO_JOB } from '../usage/index.ts'
import { describeBilledJob } from './get.ts'
import { buildChatLine, buildDeletedLines, buildJobLines } from './job-lines.ts'
import { decodeReceiptCursor, encodeReceiptCursor } from './receipt-cursor.ts'
import { findBilledJobs, findDeletedCosts, listUsageEntries, type UsageEntry, type UsagePlace } from './receipts-sql.ts'
import { totalLines } from './total.ts'

export interface ReceiptQuery {
  /** Null stands for the beginning. */
  start: Date | null
  /** Exclusive. Null stands for now. */
  end: Date | null
  limit: number
  /** From an earlier page. */
  cursor?: string | undefined
}

export interface ReceiptPage {
  receipts: UsageReceipt[]
  /** Null on the last page. */
  nextCursor: string | null
}

/**
 * Returns the receipts of what ended within a range, newest first: those of the calling key, or of the whole account for a
 * person who has signed in. Error: `VALIDATION_ERROR` for a cursor of another key.
 */
export async function listReceipts(ctx: Pick<Context, 'db'>, actor: Actor, query: ReceiptQuery): Promise<ReceiptPage> {
  const after = query.cursor === undefined ? null : decodeReceiptCursor(actor, query.cursor)
  const { receipts, next } = await readPage(ctx, actor, query, after)
  return { receipts, nextCursor: next && encodeReceiptCursor(actor, next) }
}

/** Returns all receipts of a range in pages, like `listReceipts`. Only one page is in memory at a time. */
export function readReceipts(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  query: ReceiptQuery,
): AsyncIterable<UsageReceipt[]> {
  // Read here, so that a wrong cursor is refused before anything has been sent.
  let after = query.cursor === undefined ? null : decodeReceiptCursor(actor, query.cursor)
  const read = async function* () {
    do {
      const { receipts, next } = await readPage(ctx, actor, query, after)
      yield receipts
      after = next
    } while (after)
  }
  return read()
}

async function readPage(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { start, end, limit }: ReceiptQuery,
  after: UsagePlace | null,
): Promise<{ receipts: UsageReceipt[]; next: UsagePlace | null }> {
  // One extra entry shows whether there is a next page.
  const found = await listUsageEntries(ctx.db, actor, { start, end, after, limit: limit + 1 })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  const ids = [...new Set(entries.map(({ jobId }) => jobId))].filter((id) => id !== NO_JOB)
  const jobs = new Map((await findBilledJobs(ctx.db, actor.userId, ids)).map((job) => [job.id, job]))
  const missing = ids.filter((id) => !jobs.has(id))
  const deleted = new Map(
    missing.length > 0
      ? (await findDeletedCosts(ctx.db, actor.userId, missing)).map((costs) => [costs.jobId, costs])
      : [],
  )
  return {
    // An entry whose job has expired was deleted together with it, after it had been read.
    receipts: entries.flatMap((entry) => {
      const [job, costs] = [jobs.get(entry.jobId), deleted.get(entry.jobId)]
      if (entry.jobId === NO_JOB) return [buildUsageReceipt(entry, {}, () => [])]
      if (job) return [buildUsageReceipt(entry, describeBilledJob(job), () => buildJobLines(job))]
      return costs ? [buildUsageReceipt(entry, { job_id: costs.jobId }, () => buildDeletedLines(costs))] : []
    }),
    next: last && found.length > limit ? { ...last, messageId: last.messageId ?? last.digestId } : null,
  }
}

function buildUsageReceipt(
  entry: UsageEntry,
  job: Partial<UsageReceipt>,
  buildLines: () => ReceiptLine[],
): UsageReceipt {
  const { messageId, digestId, conversationId, outcome, at } = entry
  return {
    subject: digestId !== null ? 'digest' : messageId === null ? 'job' : 'chat_message',
    ...job,
    ...(conversationId !== null && { conversation_id: conversationId }),
    ...(messageId !== null && { message_id: messageId }),
    ...(digestId !== null && { digest_id: digestId }),
    outcome,
    ended_at: at.toISOString(),
    ...totalLines(messageId === null && digestId === null ? buildLines() : [buildChatLine(entry)]),
  }
}
