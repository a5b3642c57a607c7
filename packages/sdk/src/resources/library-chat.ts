import type {
  AskLibrary,
  ChatDelta,
  CompletedLibraryAnswer,
  DeletedConversation,
  LibraryAnswer,
  LibraryCitation,
  LibraryConversation,
  LibraryConversationList,
  LibraryConversationWithMessages,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'
import type { ListConversationsQuery } from './chat.ts'
import { ANSWER_TIMEOUT_MS, streamAnswer } from './stream-answer.ts'

/** A question about many videos. The first one of a conversation has a scope, which later ones keep. */
export type LibraryQuestion = Omit<AskLibrary, 'stream'>

/** A part of an answer, in the order in which it is written. `done` has the whole answer and comes last. */
export type LibraryChatEvent =
  | { event: 'delta'; data: ChatDelta }
  | { event: 'citation'; data: LibraryCitation }
  | { event: 'done'; data: CompletedLibraryAnswer }

const PATH = '/library/chat'

/** Questions about many videos, and the conversations that they belong to. */
export class LibraryChat {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Asks a question and returns the whole answer. Without `conversation_id`, a conversation begins. */
  ask(question: LibraryQuestion, options: RequestOptions = {}): Promise<LibraryAnswer> {
    const call = { timeoutMs: ANSWER_TIMEOUT_MS, ...options, method: 'POST', path: PATH } as const
    return this.#transport.json({ ...call, body: question, creates: true })
  }

  /** Asks a question and yields its answer while it is written, like the stream of a chat about one video. */
  stream(question: LibraryQuestion, options: RequestOptions = {}): AsyncGenerator<LibraryChatEvent, void> {
    return streamAnswer<LibraryChatEvent>(this.#transport, { path: PATH, body: question }, options)
  }

  /** Lists the conversations about many videos, newest first. */
  list({ limit = 100 }: ListConversationsQuery = {}, options: RequestOptions = {}): List<LibraryConversation> {
    return createList('conversations', (cursor) =>
      this.#transport.json<LibraryConversationList>({
        ...options,
        method: 'GET',
        path: PATH,
        query: { limit, cursor },
      }),
    )
  }

  /** Returns a conversation with its messages. An answer that is still being written is `pending`. */
  get(conversationId: string, options: RequestOptions = {}): Promise<LibraryConversationWithMessages> {
    return this.#transport.json({ ...options, method: 'GET', path: `${PATH}/${encodeId(conversationId)}` })
  }

  /** Deletes a conversation. What it cost remains in the usage. */
  delete(conversationId: string, options: RequestOptions = {}): Promise<DeletedConversation> {
    const dataIfGone: DeletedConversation = { conversation_id: conversationId, deleted: true }
    const path = `${PATH}/${encodeId(conversationId)}`
    return this.#transport.json({ ...options, method: 'DELETE', path, dataIfGone })
  }
}
