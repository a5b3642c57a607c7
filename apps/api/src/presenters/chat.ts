import { API_PREFIX, type ChatAnswer, type ChatCitation, type ChatMessage, type Conversation } from '@subtext/contracts'
import type { ChatConversation, ChatExchange, StoredAnswer } from '@subtext/core/chats'
import { buildWatchUrl, selectLabels } from '@subtext/render'
import type { StoredPart } from '../chat/answer-feed.ts'

export const conversationPath = (jobId: string, conversationId: string): string =>
  `${API_PREFIX}/videos/chat/${jobId}/${conversationId}`

/** Sentences in scripts without spaces follow each other directly. */
const ENDS_WITHOUT_SPACE = /[。！？]["”」』）]?$/u

const separate = (kind: StoredAnswer['kind'], before: string): string => {
  if (before === '') return ''
  if (kind === 'passages') return '\n\n'
  return ENDS_WITHOUT_SPACE.test(before) ? '' : ' '
}

/** A piece of an answer: what is appended to the text, and the citations that belong to its end. */
export interface AnswerPiece {
  text: string
  citations: ChatCitation[]
}

/** Returns a function that presents the parts of an answer, one after the other. */
export function createPiecePresenter(place: string, kind: StoredAnswer['kind']): (part: StoredPart) => AnswerPiece {
  let content = ''
  return ({ text, citations }) => {
    const added = separate(kind, content) + text
    content += added
    return {
      text: added,
      citations: citations.map((citation) => ({
        segment_id: citation.segmentId,
        start: citation.startMs / 1_000,
        url: buildWatchUrl(place, citation.startMs),
        text: citation.text,
        position: content.length,
      })),
    }
  }
}

/** The text shown when the video does not answer the question, in the language of the answer. */
export const notInVideo = ({ language }: Pick<StoredAnswer, 'language'>): string => selectLabels(language).notInVideo

function presentAnswer(place: string, answer: StoredAnswer): { content: string; citations: ChatCitation[] } {
  if (answer.kind === 'not_in_video') return { content: notInVideo(answer), citations: [] }
  const pieces = answer.parts.map(createPiecePresenter(place, answer.kind))
  return { content: pieces.map(({ text }) => text).join(''), citations: pieces.flatMap(({ citations }) => citations) }
}

const presentUsage = ({ usage }: ChatExchange, { model }: StoredAnswer): ChatAnswer['usage'] => {
  const input_tokens = usage.inputTokens + usage.cacheWriteTokens
  return {
    input_tokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    total_tokens: input_tokens + usage.outputTokens + usage.cachedInputTokens,
    cost_usd: usage.costUsd,
    model,
  }
}

/** Presents an answer that is complete. */
export function presentChatAnswer(place: string, exchange: ChatExchange & { answer: StoredAnswer }): ChatAnswer {
  const { answer } = exchange
  const { content, citations } = presentAnswer(place, answer)
  return {
    conversation_id: exchange.conversationId,
    message: {
      message_id: exchange.id,
      role: 'assistant',
      content,
      created_at: (exchange.completedAt ?? exchange.createdAt).toISOString(),
    },
    answer_kind: answer.kind,
    citations,
    model: answer.model,
    usage: presentUsage(exchange, answer),
  }
}

/** Presents a question and its answer. */
export function presentExchange(place: string, exchange: ChatExchange): ChatMessage[] {
  const { answer, status } = exchange
  const asked = { role: 'user', content: exchange.question, created_at: exchange.createdAt.toISOString() } as const
  const at = (exchange.completedAt ?? exchange.createdAt).toISOString()
  const identity = { message_id: exchange.id, role: 'assistant', status, created_at: at } as const
  if (!answer) return [asked, { ...identity, content: '', citations: [] }]
  return [
    asked,
    {
      ...identity,
      ...presentAnswer(place, answer),
      answer_kind: answer.kind,
      model: answer.model,
      usage: presentUsage(exchange, answer),
      ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
    },
  ]
}

const MESSAGES_PER_EXCHANGE = 2

export const presentConversation = (conversation: ChatConversation): Conversation => ({
  conversation_id: conversation.id,
  title: conversation.title,
  message_count: conversation.exchanges * MESSAGES_PER_EXCHANGE,
  created_at: conversation.createdAt.toISOString(),
  updated_at: conversation.updatedAt.toISOString(),
})
