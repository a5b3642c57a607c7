import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { getJob } from '../jobs/get.ts'
import {
  type ChatConversation,
  type ChatExchange,
  type ConversationAddress,
  deleteConversation as deleteStored,
  findConversation,
  findExchange,
  listExchanges,
  listConversations as listStored,
} from './conversations-sql.ts'
import { failAbandonedExchanges } from './exchanges-sql.ts'

type ReadContext = Pick<Context, 'db'>
type Owner = Pick<Actor, 'userId'>

export interface ConversationList extends PageOfList {
  conversations: ChatConversation[]
}

/**
 * Returns the conversations of the actor about a job or, if that is null, about many videos, newest first. Errors: `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of
 * another list, or one sent together with an offset.
 */
export async function listConversations(
  ctx: ReadContext,
  actor: Owner,
  jobId: string | null,
  query: PageQuery,
): Promise<ConversationList> {
  const id = jobId === null ? null : (await getJob(ctx, actor, jobId)).id
  const { userId } = actor
  const cursors = createCursors({ list: `conversations ${userId} ${id ?? 'library'}`, status: null })
  const { entries: conversations, ...page } = await readPage(query, cursors, async (place) => {
    const { conversations: entries, total } = await listStored(ctx.db, { userId, jobId: id }, place)
    return { entries, total }
  })
  return { conversations, ...page }
}

/** Returns the place of a conversation in the store. Error: `NOT_FOUND` for malformed IDs, and for a job of another account. */
async function addressOf(
  ctx: ReadContext,
  actor: Owner,
  jobId: string | null,
  conversationId: string,
): Promise<ConversationAddress> {
  const id = jobId === null ? null : (await getJob(ctx, actor, jobId)).id
  if (!isUuid(conversationId)) throw new ServiceError('NOT_FOUND')
  return { userId: actor.userId, jobId: id, conversationId }
}

export interface FullConversation {
  conversation: ChatConversation
  /** Oldest first. */
  exchanges: ChatExchange[]
  /** Where the recording is: the ID of a video, or an address. Null if the conversation is about many, which citations name. */
  place: string | null
}

/** Returns a conversation of the actor about a job or, if that is null, about many videos. Error: `NOT_FOUND`. */
export async function getConversation(
  ctx: ReadContext,
  actor: Owner,
  jobId: string | null,
  conversationId: string,
): Promise<FullConversation> {
  const job = jobId === null ? null : await getJob(ctx, actor, jobId)
  const conversation = await findConversation(ctx.db, await addressOf(ctx, actor, jobId, conversationId))
  if (!conversation) throw new ServiceError('NOT_FOUND')
  return {
    conversation,
    exchanges: await listExchanges(ctx.db, conversation.id),
    place: job && (job.videoUrl ?? job.videoId),
  }
}

const BUSY_RETRY_SECONDS = 2

/** Deletes a conversation of the actor about a job or, if that is null, about many videos. Errors: `NOT_FOUND`, `CONVERSATION_BUSY`. */
export async function deleteConversation(
  ctx: ReadContext,
  actor: Owner,
  jobId: string | null,
  conversationId: string,
): Promise<void> {
  const outcome = await deleteStored(ctx.db, await addressOf(ctx, actor, jobId, conversationId))
  if (outcome === 'busy') throw new ServiceError('CONVERSATION_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS })
  if (outcome === 'gone') throw new ServiceError('NOT_FOUND')
}

const POLL_INTERVAL_MS = 250

/**
 * Waits until an answer that another request has started is no longer pending, and returns it. Rejects with the signal's
 * reason. Error: `NOT_FOUND` if the conversation is deleted meanwhile.
 */
export async function awaitExchange(
  ctx: ReadContext,
  { userId }: Pick<Actor, 'userId'>,
  exchange: ChatExchange,
  signal: AbortSignal,
): Promise<ChatExchange> {
  let current = exchange
  while (current.status === 'pending') {
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    const found = await findExchange(ctx.db, userId, exchange.id)
    if (!found) throw new ServiceError('NOT_FOUND')
    current = found.exchange
  }
  return current
}

const ANSWERS_PER_ROUND = 100

/** Fails answers whose process has died. Safe to run in any number of processes at once. */
export const failAbandonedAnswers = (ctx: ReadContext): Promise<number> =>
  failAbandonedExchanges(ctx.db, ANSWERS_PER_ROUND)
