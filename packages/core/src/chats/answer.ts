import type { CaptionTrack, CostReservation, Cue, SummaryPoint, SummaryUsage, VideoInfo } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import type { Context } from '../context.ts'
import { chargeReservation } from '../spending/index.ts'
import { findOwnCache, listNotes } from '../summaries/index.ts'
import { readAllCues } from '../transcripts/index.ts'
import { recordChatUsage } from '../usage/index.ts'
import type { AskedVideo, OpenedQuestion } from './ask.ts'
import { type ChatExchange, findExchange, type StoredAnswer } from './conversations-sql.ts'
import { completeExchange, extendExchangeLease, failExchange } from './exchanges-sql.ts'

/** The sources of an answer. */
export interface AnswerSource {
  video: VideoInfo
  track: CaptionTrack
  cues: Cue[]
  hasOwnCache: boolean
  readNotes(): Promise<SummaryPoint[]>
}

/** Reads the transcript that a question is about. */
export async function readAnswerSource(
  ctx: Pick<Context, 'db'>,
  { actor, subject: { job, result } }: OpenedQuestion<AskedVideo>,
): Promise<AnswerSource> {
  const { videoInfo: video, track, transcriptId } = result
  const { userId } = actor
  return {
    video,
    track,
    cues: await readAllCues(ctx.db, transcriptId, result.cueCount),
    hasOwnCache: (await findOwnCache(ctx.db, { userId, transcriptId, jobId: job.id })).isOwn,
    readNotes: () => listNotes(ctx.db, userId, transcriptId),
  }
}

export interface WrittenAnswer {
  answer: StoredAnswer
  /** The cost of the model calls. Null if no model was used. */
  usage: (SummaryUsage & { model: string; charges?: readonly Charge[] }) | null
}

/** The cost of one call of the model, and what was set aside for it. */
interface Charge {
  costUsd: number
  reservation: CostReservation
}

const NO_USAGE: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/** Stores an answer with its cost, once. Returns null if the lease was lost; the answer then costs nothing. */
export async function completeAnswer(
  ctx: { db: Db; clock: Context['clock'] },
  { actor, subject, lease, conversationId }: OpenedQuestion,
  { answer, usage }: WrittenAnswer,
): Promise<ChatExchange | null> {
  const now = ctx.clock()
  const { model: paidModel, charges = [], ...spent } = usage ?? { ...NO_USAGE, model: answer.model }
  // The model was paid, but the answer consists of passages.
  const isLost = paidModel !== answer.model
  const exchange = await ctx.db.transaction(async (sql) => {
    const exchange = await completeExchange(sql, lease, { answer, usage: spent, now })
    if (!exchange) return null
    await recordChatUsage(sql, {
      jobId: 'job' in subject ? subject.job.id : null,
      conversationId,
      messageId: exchange.id,
      userId: actor.userId,
      apiKeyId: actor.apiKeyId,
      model: paidModel,
      outcome: isLost ? 'failed' : 'completed',
      usage: spent,
      endedAt: now,
    })
    for (const { reservation, costUsd } of charges) {
      if (costUsd > 0) await chargeReservation(sql, reservation.id, costUsd)
    }
    return exchange
  })
  for (const { reservation } of charges) {
    if (exchange) await reservation.release()
    else reservation.keep()
  }
  return exchange
}

/** Returns the stored answer to a question, if there is one: the answer of the database to its storage may have been lost. */
export async function findStoredAnswer(
  { db }: Pick<Context, 'db'>,
  { actor, lease }: OpenedQuestion,
): Promise<ChatExchange | null> {
  const { exchange } = (await findExchange(db, actor.userId, lease.id)) ?? {}
  return exchange?.status === 'complete' ? exchange : null
}

/** Fails a question, which then costs nothing and does not count. Does nothing if the lease was lost. */
export const failAnswer = (ctx: Pick<Context, 'db'>, { lease }: OpenedQuestion): Promise<boolean> =>
  failExchange(ctx.db, lease)

/**
 * Extends the lease of a question until the returned function is called. Calls `onLost` when the lease is lost. While the
 * database is unavailable, nobody else can fail the question, so the lease counts as held.
 */
export function keepAnswerLease(
  ctx: Pick<Context, 'db' | 'log'>,
  { lease }: OpenedQuestion,
  leaseSeconds: number,
  onLost: () => void,
): () => void {
  const extend = async (): Promise<void> => {
    try {
      if (!(await extendExchangeLease(ctx.db, lease, leaseSeconds))) onLost()
    } catch (error) {
      ctx.log.warn('lease of an answer not extended', { error: (error as Error).message })
    }
  }
  const heartbeat = setInterval(extend, (leaseSeconds * 1_000) / 3)
  return () => clearInterval(heartbeat)
}
