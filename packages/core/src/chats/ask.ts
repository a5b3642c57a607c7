import { type AskQuestion, type LibraryScope, MAX_MESSAGES, ServiceError, validationError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId, v4 as randomId } from 'uuid'
import { type Actor, type Context, isAdmin } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { getCompletedJob } from '../jobs/get.ts'
import { type FoundResult, findResult } from '../jobs/index.ts'
import type { ShownJob } from '../jobs/job-row.ts'
import { failWithoutResult } from '../jobs/result.ts'
import { assertChatIncluded } from '../plans/gates.ts'
import { quotaPeriods, quotaResets } from '../plans/quota.ts'
import { findSpent, type SpendingContext } from '../spending/admit.ts'
import { type ChatExchange, findExchange } from './conversations-sql.ts'
import { type ExchangeLease, type OpenOutcome, openExchange } from './exchanges-sql.ts'

export interface ChatPolicy {
  /** Questions of an account and UTC day. */
  dailyQuestions: number
  /** Seconds after which an answer counts as abandoned, unless its lease is extended. */
  leaseSeconds: number
}

export interface AskContext extends Pick<Context, 'db' | 'clock'> {
  chatPolicy: ChatPolicy
}

/** What a question is about: a video, or those of the actor's videos that are in a scope. */
export type QuestionSubject = { job: ShownJob; result: FoundResult } | { scope: LibraryScope }

/** A question whose answer has to be written. */
export interface OpenedQuestion<S extends QuestionSubject = QuestionSubject> {
  actor: Pick<Actor, 'userId' | 'apiKeyId'>
  subject: S
  lease: ExchangeLease
  conversationId: string
  text: string
  /** The answered questions before it, the oldest first. */
  earlier: ChatExchange[]
}

/** A question that was accepted now, or one that an earlier request with the same idempotency key has asked. */
export type AskedQuestion<S extends QuestionSubject> = { opened: OpenedQuestion<S> } | { asked: ChatExchange }

/** What a request knows about its question besides the question itself. */
export interface AskRequest {
  /** The ID that is reserved for the question: any number of calls with it ask it once. */
  reserved?: ReservedResource
  /** Called before a question is stored and counted, but not for one that exists. What it throws refuses the question. */
  admit?: () => void
}

const TITLE_LENGTH = 80
const MESSAGES_PER_EXCHANGE = 2
const BUSY_RETRY_SECONDS = 2

/**
 * Stores a question about a completed job, and its pending answer. Errors: what `admit` throws,
 * `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`, `JOB_NOT_COMPLETED` and the error of a failed job; `CONVERSATION_BUSY`,
 * `QUOTA_EXCEEDED`, `VALIDATION_ERROR` (the conversation is full).
 */
export async function askQuestion(
  ctx: AskContext & SpendingContext,
  actor: Actor,
  jobId: string,
  body: AskQuestion,
  request: AskRequest = {},
): Promise<AskedQuestion<AskedVideo>> {
  assertChatIncluded(actor)
  const job = await getCompletedJob(ctx, actor, jobId)
  if (body.conversation_id !== undefined && !isUuid(body.conversation_id)) throw new ServiceError('NOT_FOUND')
  const result = await findResult(ctx.db, job.id)
  if (!result) return failWithoutResult(ctx, job)
  return storeQuestion(ctx, actor, { ...body, subject: { job, result } }, request)
}

export type AskedVideo = Extract<QuestionSubject, { job: ShownJob }>
export type AskedLibrary = Exclude<QuestionSubject, AskedVideo>

interface NewQuestion<S extends QuestionSubject>
  extends Pick<AskQuestion, 'message' | 'conversation_id' | 'regenerate'> {
  subject: S
}

/** Stores a question and its pending answer. Errors: as of `askQuestion`, except for those of its job. */
export async function storeQuestion<S extends QuestionSubject>(
  ctx: AskContext & SpendingContext,
  actor: Actor,
  { message, conversation_id: requested, regenerate, subject }: NewQuestion<S>,
  { reserved, admit }: AskRequest,
): Promise<AskedQuestion<S>> {
  const known = reserved?.mayExist ? await findExchange(ctx.db, actor.userId, reserved.id) : null
  const existing = known?.exchange.conversationId ?? requested
  const conversationId = existing ?? newId()
  const lease = { id: reserved?.id ?? newId(), token: randomId() }
  const now = ctx.clock()
  const spent = await findSpent(ctx, actor)
  const outcome = await openExchange(ctx.db, {
    id: lease.id,
    conversationId,
    jobId: 'job' in subject ? subject.job.id : null,
    scope: 'scope' in subject ? subject.scope : undefined,
    userId: actor.userId,
    apiKeyId: actor.apiKeyId,
    title: existing === undefined ? [...message].slice(0, TITLE_LENGTH).join('') : null,
    question: message,
    regenerate,
    leaseToken: lease.token,
    leaseSeconds: ctx.chatPolicy.leaseSeconds,
    quota: isAdmin(actor) ? null : { day: quotaPeriods(now).day, limit: ctx.chatPolicy.dailyQuestions },
    maxExchanges: MAX_MESSAGES / MESSAGES_PER_EXCHANGE,
    admit() {
      if (spent) throw spent
      admit?.()
    },
    now,
  })
  if (outcome.outcome === 'exists') return { asked: outcome.exchange }
  if (outcome.outcome !== 'opened') throw refusalOf(outcome.outcome, ctx.chatPolicy, now)
  const { userId, apiKeyId } = actor
  const opened = {
    actor: { userId, apiKeyId },
    subject,
    lease,
    conversationId,
    text: message,
    earlier: outcome.earlier,
  }
  return { opened }
}

function refusalOf(
  outcome: Exclude<OpenOutcome['outcome'], 'opened' | 'exists'>,
  { dailyQuestions }: ChatPolicy,
  now: Date,
): ServiceError {
  switch (outcome) {
    case 'gone':
      return new ServiceError('NOT_FOUND')
    case 'busy':
      return new ServiceError('CONVERSATION_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS })
    case 'full': {
      const message = `A conversation can have ${MAX_MESSAGES} messages. Start another one: leave out \`conversation_id\`.`
      return validationError([{ path: 'conversation_id', code: 'conversation_full', message }])
    }
    case 'empty': {
      const message = 'The conversation has no answer to regenerate.'
      return validationError([{ path: 'regenerate', code: 'nothing_to_regenerate', message }])
    }
    case 'exhausted': {
      const { day } = quotaResets(now)
      return new ServiceError('QUOTA_EXCEEDED', {
        message: 'Your questions for today are used up. The quota resets at `details.reset_at`.',
        details: { quota: 'chat', limit: dailyQuestions, used: dailyQuestions, reset_at: day.toISOString() },
        retryAfterSeconds: Math.max(1, Math.ceil((day.getTime() - now.getTime()) / 1_000)),
      })
    }
  }
}
