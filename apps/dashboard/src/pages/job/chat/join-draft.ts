import type { ChatCitation, ChatMessage } from '@subtext/sdk'

/** A question that has been sent, and what has arrived of its answer. */
export interface Draft {
  question: string
  text: string
  citations: ChatCitation[]
  /** Number of messages that the conversation had before. */
  after: number
}

export interface ShownMessages {
  messages: ChatMessage[]
  draft: Draft | null
}

/**
 * Returns what is shown of a conversation: the draft until its answer is stored, and from then on the stored messages, so that no
 * message is ever shown twice. `messages`: the stored ones.
 */
export function joinDraft(messages: ChatMessage[], draft: Draft | null): ShownMessages {
  if (draft === null || messages.length <= draft.after) return { messages, draft }
  const last = messages.at(-1)
  const isStored = last?.role === 'assistant' && last.status !== 'pending'
  return isStored ? { messages, draft: null } : { messages: messages.slice(0, draft.after), draft }
}
