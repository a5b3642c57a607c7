import {
  API_PREFIX,
  type ChatAnswer,
  type ChatCitation,
  type ChatMessage,
  type Conversation,
  type LibraryCitation,
  type LibraryConversation,
} from '@subtext/contracts'
import type { ChatConversation, ChatExchange, StoredAnswer } from '@subtext/core/chats'
import { buildWatchUrl, selectLabels } from '@subtext/render'
import type { StoredPart } from '../chat/answer-feed.ts'

/** Returns the path of a conversation about a job or, if that is null, about many videos. */
export const conversationPath = (jobId: string | null, conversationId: string): string =>
  jobId === null
    ? `${API_PREFIX}/library/chat/${conversationId}`
    : `${API_PREFIX}/videos/chat/${jobId}/${conversationId}`

/** A citation of a single video; in answers about many, of the video that it names. */
type Citation = ChatCitation & Partial<Pick<LibraryCitation, 'job_id' | 'video_id' | 'video_title'>>

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
  citations: Citation[]
}

/**
 * Returns a function that presents the parts of an answer, one after the other. `place`: of the recording; null if the citations name
 * theirs.
 */
export function createPiecePresenter(
  place: string | null,
  kind: StoredAnswer['kind'],
): (part: StoredPart) => AnswerPiece {
  let content = ''
  return ({ text, citations }) => {
    const added = separate(kind, content) + text
    content += added
    return {
      text: added,
      citations: citations.map((citation) => ({
        segment_id: citation.segmentId,
        start: citation.startMs / 1_000,
        url: buildWatchUrl(citation.video?.place ?? place ?? '', citation.startMs),
        text: citation.text,
        position: content.length,
        ...(citation.video && {
          job_id: citation.video.jobId,
          video_id: citation.video.videoId,
          video_title: citation.video.title,
        }),
      })),
    }
  }
}

/** The text shown when the video, or none of many, answers the question, in the language of the answer. */
export function notInVideo(place: string | null, { language }: Pick<StoredAnswer, 'language'>): string {
  const labels = selectLabels(language)
  return place === null ? labels.notInVideos : labels.notInVideo
}

function presentAnswer(place: string | null, answer: StoredAnswer): { content: string; citations: Citation[] } {
  if (answer.kind === 'not_in_video') return { content: notInVideo(place, answer), citations: [] }
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
export function presentChatAnswer(
  place: string | null,
  exchange: ChatExchange & { answer: StoredAnswer },
): ChatAnswer & { citations: Citation[] } {
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
export function presentExchange(place: string | null, exchange: ChatExchange): ChatMessage[] {
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

export const presentLibraryConversation = (conversation: ChatConversation): LibraryConversation => ({
  ...presentConversation(conversation),
  scope: conversation.scope ?? { all: true },
})
