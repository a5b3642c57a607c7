import { withJobId } from '../errors.ts'
import type {
  AskQuestion,
  ChatAnswer,
  ChatCitation,
  ChatDelta,
  CompletedChatAnswer,
  Conversation,
  ConversationList,
  ConversationReceipt,
  ConversationWithMessages,
  DeletedConversation,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { Call, RequestOptions, Transport } from '../http/transport.ts'
import { ANSWER_TIMEOUT_MS, streamAnswer } from './stream-answer.ts'

/** A question, as text or with further parameters. */
export type Question = string | Omit<AskQuestion, 'stream'>

/** A part of an answer, in the order in which it is written. `done` has the whole answer and comes last. */
export type ChatEvent =
  | { event: 'delta'; data: ChatDelta }
  | { event: 'citation'; data: ChatCitation }
  | { event: 'done'; data: CompletedChatAnswer }

export interface ListConversationsQuery {
  /** Conversations per page, 1 to 100. Default: 100. */
  limit?: number
}

const toBody = (question: Question): AskQuestion => (typeof question === 'string' ? { message: question } : question)

/** Questions about the video of a completed job, and the conversations that they belong to. */
export class Chat {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Asks a question and returns the whole answer. Without `conversation_id`, a conversation begins. */
  ask(jobId: string, question: Question, options: RequestOptions = {}): Promise<ChatAnswer> {
    const body = toBody(question)
    return this.#call(jobId, [], { timeoutMs: ANSWER_TIMEOUT_MS, ...options, method: 'POST', body, creates: true })
  }

  /**
   * Asks a question and yields its answer while it is written: each checked sentence, its citations, and finally the whole
   * answer. A stream that breaks is resumed. The answer is completed even if you stop reading; read it in the conversation
   * then.
   */
  stream(jobId: string, question: Question, options: RequestOptions = {}): AsyncGenerator<ChatEvent, void> {
    const path = pathOf(jobId)
    return streamAnswer<ChatEvent>(this.#transport, { path, body: toBody(question), jobId }, options)
  }

  /** Lists the conversations about a job's video, newest first. */
  list(jobId: string, { limit = 100 }: ListConversationsQuery = {}, options: RequestOptions = {}): List<Conversation> {
    return createList('conversations', (cursor) =>
      this.#call<ConversationList>(jobId, [], { ...options, method: 'GET', query: { limit, cursor } }),
    )
  }

  /** Returns a conversation with its messages. An answer that is still being written is `pending`. */
  get(jobId: string, conversationId: string, options: RequestOptions = {}): Promise<ConversationWithMessages> {
    return this.#call(jobId, [conversationId], { ...options, method: 'GET' })
  }

  /** Deletes a conversation. What it cost remains in the usage. */
  delete(jobId: string, conversationId: string, options: RequestOptions = {}): Promise<DeletedConversation> {
    const dataIfGone: DeletedConversation = { conversation_id: conversationId, deleted: true }
    return this.#call(jobId, [conversationId], { ...options, method: 'DELETE', dataIfGone })
  }

  /** Returns what the answers of a conversation have cost and why, line by line. */
  receipt(jobId: string, conversationId: string, options: RequestOptions = {}): Promise<ConversationReceipt> {
    const path = `/videos/receipt/${encodeId(jobId)}/${encodeId(conversationId)}`
    return withJobId(jobId, () => this.#transport.json({ ...options, method: 'GET', path }))
  }

  #call<T>(jobId: string, rest: string[], call: Omit<Call, 'path'>): Promise<T> {
    return withJobId(jobId, () => this.#transport.json<T>({ ...call, path: pathOf(jobId, ...rest) }))
  }
}

const pathOf = (...ids: string[]): string => `/videos/chat/${ids.map(encodeId).join('/')}`
