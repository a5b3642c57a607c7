import type { ChatCitation, ChatMessage, Conversation, LibraryCitation, LibraryScope } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

/** How often a conversation is read again while an answer is being written elsewhere. */
const POLL_MS = 2_000

/** A citation of a single video, or of one of many, which it names. */
export type AnswerCitation = ChatCitation & Partial<Pick<LibraryCitation, 'job_id' | 'video_id' | 'video_title'>>

interface ChatQuestion {
  message: string
  conversation_id?: string
  regenerate?: boolean
}

type AnswerEvent =
  | { event: 'delta'; data: { text: string } }
  | { event: 'citation'; data: AnswerCitation }
  | { event: 'done'; data: { conversation_id: string } }

interface CallOptions {
  signal: AbortSignal
}

/** What conversations are about, and how they are read and continued. */
export interface ChatAbout {
  /** Tells them from the conversations about something else. */
  key: string
  list(options: CallOptions): Promise<Conversation[]>
  get(id: string, options: CallOptions): Promise<Conversation & { messages: ChatMessage[] }>
  delete(id: string): Promise<unknown>
  stream(question: ChatQuestion, options: CallOptions): AsyncGenerator<AnswerEvent, void>
}

/** Conversations about the video of a job. */
export const aboutJob = (jobId: string): ChatAbout => ({
  key: jobId,
  list: async (options) => (await subtext.chat.list(jobId, {}, options).page()).items,
  get: (id, options) => subtext.chat.get(jobId, id, options),
  delete: (id) => subtext.chat.delete(jobId, id),
  stream: (question, options) => subtext.chat.stream(jobId, question, options),
})

/** Conversations about many videos. `scope`: of new ones. */
export const aboutLibrary = (scope: LibraryScope): ChatAbout => ({
  key: 'library',
  list: async (options) => (await subtext.library.chat.list({}, options).page()).items,
  get: (id, options) => subtext.library.chat.get(id, options),
  delete: (id) => subtext.library.chat.delete(id),
  stream: (question, options) =>
    subtext.library.chat.stream({ ...question, ...(question.conversation_id === undefined && { scope }) }, options),
})

/** The latest conversations about something, newest first. */
export const conversationsQuery = (about: ChatAbout) =>
  queryOptions({ queryKey: ['conversations', about.key], queryFn: ({ signal }) => about.list({ signal }) })

/** A conversation with its messages. It is read again until every answer is written. */
export const conversationQuery = (about: ChatAbout, conversationId: string) =>
  queryOptions({
    queryKey: ['conversation', about.key, conversationId],
    queryFn: ({ signal }) => about.get(conversationId, { signal }),
    refetchInterval: ({ state }) => (isAnswerPending(state.data) ? POLL_MS : false),
  })

/** Whether an answer of a conversation is still being written. */
export const isAnswerPending = (conversation: { messages: ChatMessage[] } | undefined): boolean =>
  conversation?.messages.some((message) => message.role === 'assistant' && message.status === 'pending') ?? false
