import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ChatAbout, conversationQuery, conversationsQuery, isAnswerPending } from '../../../api/chat.ts'
import { type AnswerDraft, joinDraft, startDraft } from './join-draft.ts'

/** A chat: the conversation that is open, the answer that is being written, and what went wrong. */
export function useChat(about: ChatAbout) {
  const queries = useQueryClient()
  const [conversationId, setConversationId] = useState<string | null>(null)
  const [draft, setDraft] = useState<AnswerDraft | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const conversation = useQuery({
    ...conversationQuery(about, conversationId ?? ''),
    enabled: conversationId !== null,
  })
  const stored = conversation.data?.messages ?? []
  // The service completes the answer even if nobody waits for it.
  useEffect(() => () => running.current?.abort(), [])

  const open = (id: string | null) => {
    running.current?.abort()
    setConversationId(id)
    setDraft(null)
    setError(null)
  }
  const refresh = async (id: string | null) => {
    const { queryKey } = conversationsQuery(about)
    await queries.invalidateQueries({ queryKey })
    if (id !== null) await queries.invalidateQueries(conversationQuery(about, id))
  }
  const send = async (message: string, regenerate = false): Promise<boolean> => {
    const controller = new AbortController()
    running.current?.abort()
    running.current = controller
    const change = (update: (known: AnswerDraft) => AnswerDraft) => setDraft((known) => known && update(known))
    setError(null)
    setDraft(startDraft(message, stored, regenerate))
    const question = {
      message,
      ...(conversationId && { conversation_id: conversationId }),
      ...(regenerate && { regenerate }),
    }
    try {
      for await (const { event, data } of about.stream(question, { signal: controller.signal })) {
        if (event === 'delta') change((known) => ({ ...known, text: known.text + data.text }))
        else if (event === 'citation') change((known) => ({ ...known, citations: [...known.citations, data] }))
        else {
          setConversationId(data.conversation_id)
          await refresh(data.conversation_id)
        }
      }
      return true
    } catch (cause) {
      if (controller.signal.aborted) return true
      await refresh(conversationId).catch(() => undefined)
      setError(cause)
      return false
    } finally {
      if (!controller.signal.aborted) setDraft(null)
    }
  }
  const isBusy = draft !== null || conversation.isLoading || isAnswerPending(conversation.data)
  return { conversationId, conversation, ...joinDraft(stored, draft), isBusy, error, open, send }
}
