import { isDeepStrictEqual } from 'node:util'
import { type AskLibrary, type LibraryScope, ServiceError, validationError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import { getBatch } from '../batches/get.ts'
import type { Actor } from '../context.ts'
import { assertOwnJobs } from '../library/index.ts'
import { assertChatIncluded } from '../plans/gates.ts'
import { getSource } from '../sources/index.ts'
import type { SpendingContext } from '../spending/admit.ts'
import { type AskContext, type AskedLibrary, type AskedQuestion, type AskRequest, storeQuestion } from './ask.ts'
import { findConversation } from './conversations-sql.ts'

/**
 * Stores a question about many videos of the actor, and its pending answer. Errors: those of `askQuestion`; `NOT_FOUND` for a job,
 * batch or source of somebody else; `VALIDATION_ERROR` for a first question without a scope, and for another scope than that of
 * the conversation.
 */
export async function askLibrary(
  ctx: AskContext & SpendingContext,
  actor: Actor,
  body: AskLibrary,
  request: AskRequest = {},
): Promise<AskedQuestion<AskedLibrary>> {
  assertChatIncluded(actor)
  const scope = await selectScope(ctx, actor, body)
  return storeQuestion(ctx, actor, { ...body, subject: { scope } }, request)
}

async function selectScope(
  ctx: AskContext,
  actor: Actor,
  { conversation_id: conversationId, scope: requested }: AskLibrary,
): Promise<LibraryScope> {
  if (conversationId === undefined) {
    if (!requested)
      throw scopeIssue('Is required in the first message of a conversation, such as `{"all": true}`.', 'required')
    await assertOwn(ctx, actor, requested)
    return requested
  }
  const address = { userId: actor.userId, jobId: null, conversationId }
  const conversation = isUuid(conversationId) ? await findConversation(ctx.db, address) : null
  if (!conversation?.scope) throw new ServiceError('NOT_FOUND')
  if (requested && !isDeepStrictEqual(requested, conversation.scope)) {
    throw scopeIssue(
      'A conversation keeps the scope of its first message. Leave it out, or start another one.',
      'changed',
    )
  }
  return conversation.scope
}

const scopeIssue = (message: string, code: string): ServiceError => validationError([{ path: 'scope', message, code }])

async function assertOwn(ctx: AskContext, actor: Actor, scope: LibraryScope): Promise<void> {
  if ('batch_id' in scope) await getBatch(ctx, actor, scope.batch_id)
  else if ('source_id' in scope) await getSource(ctx, actor, scope.source_id)
  else if ('job_ids' in scope) await assertOwnJobs(ctx.db, actor.userId, scope.job_ids)
}
