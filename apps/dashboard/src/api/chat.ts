import type {
  ChatCitation,
  ChatDelta,
  CompletedChatAnswer,
  Conversation,
  ConversationList,
  ConversationWithMessages,
  JobError,
} from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, request } from './client.ts'
import { readServerEvents } from './server-events.ts'

const pathOf = (jobId: string, conversationId?: string): string =>
  `/api/v1/videos/chat/${encodeURIComponent(jobId)}${conversationId ? `/${encodeURIComponent(conversationId)}` : ''}`

const readData = async <T>(response: Response): Promise<T> => ((await response.json()) as { data: T }).data

/** How often a conversation is read again while an answer is being written elsewhere. */
const POLL_MS = 2_000

/** The conversations about a video, newest first. */
export const conversationsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['conversations', jobId],
    queryFn: async ({ signal }): Promise<Conversation[]> =>
      (await readData<ConversationList>(await request('GET', `${pathOf(jobId)}?limit=100`, { signal }))).conversations,
  })

/** A conversation with its messages. It is read again until every answer is written. */
export const conversationQuery = (jobId: string, conversationId: string) =>
  queryOptions({
    queryKey: ['conversation', jobId, conversationId],
    queryFn: async ({ signal }) =>
      readData<ConversationWithMessages>(await request('GET', pathOf(jobId, conversationId), { signal })),
    refetchInterval: ({ state }) => (isAnswerPending(state.data) ? POLL_MS : false),
  })

/** Whether an answer of a conversation is still being written. */
export const isAnswerPending = (conversation: ConversationWithMessages | undefined): boolean =>
  conversation?.messages.some((message) => message.role === 'assistant' && message.status === 'pending') ?? false

export async function deleteConversation(jobId: string, conversationId: string): Promise<void> {
  await request('DELETE', pathOf(jobId, conversationId))
}

export interface Question {
  message: string
  conversation_id?: string
  /** Replaces the last question and its answer. */
  regenerate?: boolean
}

export interface AnswerListener {
  /** The next sentence of the answer. */
  onText: (text: string) => void
  /** A passage that supports what has arrived. */
  onCitation: (citation: ChatCitation) => void
}

/** The stream ended before the answer did. The service writes the answer all the same. */
export class AnswerInterrupted extends Error {}

/**
 * Asks a question and reports the answer while it is written. Returns the whole answer.
 * @throws ApiError if the question is refused or cannot be answered, AnswerInterrupted if the connection breaks.
 */
export async function ask(
  jobId: string,
  question: Question,
  { onText, onCitation }: AnswerListener,
  signal: AbortSignal,
): Promise<CompletedChatAnswer> {
  const response = await request('POST', pathOf(jobId), {
    body: { ...question, stream: true },
    headers: { Accept: 'text/event-stream', 'Idempotency-Key': crypto.randomUUID() },
    signal,
  })
  try {
    for await (const { event, data } of readServerEvents(response)) {
      const content: unknown = JSON.parse(data)
      if (event === 'delta') onText((content as ChatDelta).text)
      else if (event === 'citation') onCitation(content as ChatCitation)
      else if (event === 'done') return content as CompletedChatAnswer
      else if (event === 'error') throw toApiError(content as JobError)
    }
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error
  }
  throw new AnswerInterrupted('The connection broke.')
}

const toApiError = ({ code, message }: JobError): ApiError => new ApiError(200, code, message)
