import {
  type AskQuestion,
  type chats,
  type LibraryChatMessage,
  type libraryChats,
  ServiceError,
} from '@subtext/contracts'
import {
  type AskedQuestion,
  type AskRequest,
  askLibrary,
  askQuestion,
  awaitExchange,
  type ChatExchange,
  deleteConversation,
  getConversation,
  listConversations,
  type QuestionSubject,
  type StoredAnswer,
} from '@subtext/core/chats'
import { getJob } from '@subtext/core/jobs'
import type { Response } from 'express'
import type { RunningAnswer } from '../chat/answer-writer.ts'
import { streamAnswer } from '../chat/stream-answer.ts'
import type { ApiContext } from '../context.ts'
import { sendEvents } from '../http/event-stream.ts'
import type { Handlers, RequestCall } from '../http/mount.ts'
import {
  conversationPath,
  presentChatAnswer,
  presentConversation,
  presentExchange,
  presentLibraryConversation,
} from '../presenters/chat.ts'
import { presentPage } from '../presenters/page.ts'

export const chatHandlers: Handlers<typeof chats> = {
  ask: async (ctx, { params, body }, call) =>
    replyWithAnswer(ctx, { jobId: params.job_id, stream: body.stream }, call, (request) =>
      startAnswer(ctx, { params, body }, call.actor, request),
    ),
  list: async (ctx, { params, query }, { actor }) => {
    const page = await listConversations(ctx, actor, params.job_id, query)
    return { data: { conversations: page.conversations.map(presentConversation), pagination: presentPage(page) } }
  },
  get: async (ctx, { params }, { actor }) => {
    const found = await getConversation(ctx, actor, params.job_id, params.conversation_id)
    const messages = found.exchanges.flatMap((exchange) => presentExchange(found.place, exchange))
    return { data: { ...presentConversation(found.conversation), messages } }
  },
  delete: async (ctx, { params }, { actor }) => {
    await deleteConversation(ctx, actor, params.job_id, params.conversation_id)
    return { data: { conversation_id: params.conversation_id, deleted: true } }
  },
}

export const libraryChatHandlers: Handlers<typeof libraryChats> = {
  ask: async (ctx, { body }, call) =>
    // Every citation names its video, because the place is null.
    replyWithAnswer(ctx, { jobId: null, stream: body.stream }, call, async (request) => {
      const asked = await askLibrary(ctx, call.actor, body, request)
      return { asked, place: null }
    }) as ReturnType<Handlers<typeof libraryChats>['ask']>,
  list: async (ctx, { query }, { actor }) => {
    const page = await listConversations(ctx, actor, null, query)
    return {
      data: { conversations: page.conversations.map(presentLibraryConversation), pagination: presentPage(page) },
    }
  },
  get: async (ctx, { params }, { actor }) => {
    const found = await getConversation(ctx, actor, null, params.conversation_id)
    const messages = found.exchanges.flatMap((exchange) => presentExchange(null, exchange)) as LibraryChatMessage[]
    return { data: { ...presentLibraryConversation(found.conversation), messages } }
  },
  delete: async (ctx, { params }, { actor }) => {
    await deleteConversation(ctx, actor, null, params.conversation_id)
    return { data: { conversation_id: params.conversation_id, deleted: true } }
  },
}

interface Asked {
  asked: AskedQuestion<QuestionSubject>
  /** Where the recording is. Null for many, which citations name. */
  place: string | null
}

/** Asks a question, and replies with its answer or with the stream of it. `jobId`: null for a question about many videos. */
async function replyWithAnswer(
  ctx: ApiContext,
  { jobId, stream }: { jobId: string | null; stream: boolean },
  { actor, resource, abortSignal }: Pick<RequestCall, 'actor' | 'resource' | 'abortSignal'>,
  ask: (request: AskRequest) => Promise<Asked>,
) {
  const held = stream ? holdStream(ctx, actor, abortSignal) : null
  const { answer, conversationId, place } = await beginAnswer(ctx, { actor, resource }, ask)
  const headers = { Location: conversationPath(jobId, conversationId) }
  if (!held) {
    const exchange = assertAnswered(await answer.done)
    return { headers, data: presentChatAnswer(place, exchange), warnings: exchange.answer.warnings }
  }
  const refusal = await answer.admitted
  if (refusal) {
    held.release()
    throw refusal
  }
  return {
    headers,
    stream: async (response: Response) => {
      try {
        await sendEvents(response, streamAnswer(ctx, { ...answer, place }, held.signal))
      } finally {
        held.release()
      }
    },
  }
}

/** Asks a question about a video. */
async function startAnswer(
  ctx: ApiContext,
  { params, body }: { params: { job_id: string }; body: AskQuestion },
  actor: RequestCall['actor'],
  request: AskRequest,
): Promise<Asked> {
  const asked = await askQuestion(ctx, actor, params.job_id, body, request)
  const { videoId, videoUrl } = 'opened' in asked ? asked.opened.subject.job : await getJob(ctx, actor, params.job_id)
  return { asked, place: videoUrl ?? videoId }
}

/**
 * Takes one of the streams of the account before the question is stored and counted, until `release` is called or the response
 * ends, whatever it turns out to be. Throws `RATE_LIMITED`.
 */
function holdStream(
  ctx: ApiContext,
  { userId }: RequestCall['actor'],
  abortSignal: RequestCall['abortSignal'],
): { signal: AbortSignal; release: () => void } {
  const release = ctx.acquireStream(userId)
  const signal = abortSignal({ outlastsDraining: true })
  if (signal.aborted) release()
  else signal.addEventListener('abort', release, { once: true })
  return { signal, release }
}

/** Asks a question and begins its answer, or follows the one that an earlier request has begun. */
async function beginAnswer(
  ctx: ApiContext,
  { actor, resource }: Pick<RequestCall, 'actor' | 'resource'>,
  ask: (request: AskRequest) => Promise<Asked>,
): Promise<{ answer: RunningAnswer; conversationId: string; place: string | null }> {
  let release = (): void => {}
  const admit = (): void => {
    release = ctx.acquireAnswer(actor.userId)
  }
  const { asked, place } = await ask({ reserved: resource, admit }).catch((error) => {
    release()
    throw error
  })
  if ('asked' in asked) {
    return { answer: follow(ctx, actor, asked.asked), conversationId: asked.asked.conversationId, place }
  }
  const { opened } = asked
  const answer = ctx.answers.start(opened)
  answer.done.then(release, release)
  return { answer, conversationId: opened.conversationId, place }
}

async function* noParts(): AsyncIterable<never> {
  // An answer of another process is shown when it is complete.
}

/** Follows an answer that an earlier request has started, here or in another process. */
function follow(ctx: ApiContext, actor: RequestCall['actor'], exchange: ChatExchange): RunningAnswer {
  const running = ctx.answers.find(exchange.id)
  if (running) return running
  const done = awaitExchange(ctx, actor, exchange, ctx.draining)
  done.catch(() => {})
  return { parts: noParts, admitted: Promise.resolve(null), done }
}

/** Throws `SERVICE_UNAVAILABLE` for an answer that has failed. */
function assertAnswered(exchange: ChatExchange): ChatExchange & { answer: StoredAnswer } {
  const { answer } = exchange
  if (!answer) throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
  return { ...exchange, answer }
}
