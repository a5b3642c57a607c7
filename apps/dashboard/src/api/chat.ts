import type { ConversationWithMessages } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

/** How often a conversation is read again while an answer is being written elsewhere. */
const POLL_MS = 2_000

/** The latest conversations about a video, newest first. */
export const conversationsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['conversations', jobId],
    queryFn: async ({ signal }) => (await subtext.chat.list(jobId, {}, { signal }).page()).items,
  })

/** A conversation with its messages. It is read again until every answer is written. */
export const conversationQuery = (jobId: string, conversationId: string) =>
  queryOptions({
    queryKey: ['conversation', jobId, conversationId],
    queryFn: ({ signal }) => subtext.chat.get(jobId, conversationId, { signal }),
    refetchInterval: ({ state }) => (isAnswerPending(state.data) ? POLL_MS : false),
  })

/** Whether an answer of a conversation is still being written. */
export const isAnswerPending = (conversation: ConversationWithMessages | undefined): boolean =>
  conversation?.messages.some((message) => message.role === 'assistant' && message.status === 'pending') ?? false
