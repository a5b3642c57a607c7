import type { ChatMessage } from '@subtext/sdk'
import type { AnswerCitation } from '../../../api/chat.ts'

/** A question that has been sent, and what has arrived of its answer. */
export interface AnswerDraft {
  question: string
  text: string
  citations: AnswerCitation[]
  /** Number of messages that are shown before it. */
  after: number
  /** ID of the last answer that was stored when the question was sent; null if there was none. */
  lastAnswer: string | null
}

const MESSAGES_PER_EXCHANGE = 2

/** Starts the draft for a question, which replaces the last one of the stored messages if its answer is written again. */
export function startDraft(question: string, messages: ChatMessage[], regenerate: boolean): AnswerDraft {
  const after = messages.length - (regenerate ? MESSAGES_PER_EXCHANGE : 0)
  return { question, text: '', citations: [], after, lastAnswer: findLastAnswer(messages)?.message_id ?? null }
}

const findLastAnswer = (messages: ChatMessage[]) => messages.findLast((message) => message.role === 'assistant')

export interface ShownMessages {
  messages: ChatMessage[]
  draft: AnswerDraft | null
}

/**
 * Returns what is shown of a conversation: the draft until its answer is stored, and from then on the stored messages, so that no
 * message is ever shown twice. `messages`: the stored ones.
 */
export function joinDraft(messages: ChatMessage[], draft: AnswerDraft | null): ShownMessages {
  if (draft === null) return { messages, draft }
  const answer = findLastAnswer(messages)
  const isStored = answer !== undefined && answer.message_id !== draft.lastAnswer && answer.status !== 'pending'
  return isStored ? { messages, draft: null } : { messages: messages.slice(0, draft.after), draft }
}
