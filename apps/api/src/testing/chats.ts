import { randomUUID } from 'node:crypto'
import { completeExchange, openExchange, type StoredAnswer } from '@subtext/core/chats'
import { recordChatUsage } from '@subtext/core/usage'
import { SAMPLE_TALKS } from '@subtext/fakes'
import supertest from 'supertest'
import type { ApiContext } from '../context.ts'
import { holderOf } from './accounts.ts'
import { acceptTestJob, completeTestJob } from './jobs.ts'

const ANSWER: StoredAnswer = { kind: 'not_in_video', parts: [], language: 'en', model: 'model-a', warnings: [] }
const USAGE = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }

/** Stores a conversation of one answered question about a completed job, or about all, whatever the plan. Returns its ID. */
export async function addTestConversation(ctx: ApiContext, key: string, jobId: string | null): Promise<string> {
  const { userId, apiKeyId } = await holderOf(ctx, key)
  const [conversationId, id, leaseToken] = [randomUUID(), randomUUID(), randomUUID()]
  const now = ctx.clock()
  const { outcome } = await openExchange(ctx.db, {
    id,
    conversationId,
    jobId,
    userId,
    apiKeyId,
    leaseToken,
    now,
    title: 'Why?',
    scope: jobId === null ? { all: true } : undefined,
    question: 'Why?',
    regenerate: false,
    leaseSeconds: 60,
    quota: null,
    maxExchanges: 50,
  })
  if (outcome !== 'opened') throw new Error(`The conversation is ${outcome}.`)
  await completeExchange(ctx.db, { id, token: leaseToken }, { answer: ANSWER, usage: USAGE, now })
  await recordChatUsage(ctx.db, {
    jobId,
    conversationId,
    userId,
    apiKeyId,
    messageId: id,
    endedAt: now,
    model: ANSWER.model,
    outcome: 'completed',
    usage: USAGE,
  })
  return conversationId
}

/** The lines of the English sample talk. */
export const TALK = [...(SAMPLE_TALKS.english.tracks[0]?.cues() ?? [])]

/** Completes a job about the English sample talk. Returns its ID. */
export async function completeTalk(ctx: ApiContext, key: string): Promise<string> {
  const jobId = await acceptTestJob(ctx, key)
  await completeTestJob(ctx, jobId, { cues: TALK })
  return jobId
}

export interface Ask {
  message?: string
  conversation_id?: string
  stream?: boolean
  regenerate?: boolean
}

/** Sends a question. */
export const ask = (app: Parameters<typeof supertest>[0], key: string, jobId: string, body: Ask = {}) =>
  supertest(app)
    .post(`/api/v1/videos/chat/${jobId}`)
    .set('X-API-Key', key)
    .send({ message: 'Where was Tharp born?', ...body })

/** Stores a digest of a batch that has yet to be made. Returns its ID. */
export async function addTestDigest(ctx: ApiContext, key: string, batchId: string): Promise<string> {
  const { userId } = await holderOf(ctx, key)
  const id = randomUUID()
  await ctx.db.query(`INSERT INTO digests (id, user_id, batch_id, created_at) VALUES ($1, $2, $3, now())`, [
    id,
    userId,
    batchId,
  ])
  return id
}
