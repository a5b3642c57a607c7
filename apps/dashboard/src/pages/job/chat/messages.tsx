import type { ChatMessage, StoredAssistantMessage } from '@subtext/sdk'
import { Fragment, type ReactNode, type RefObject } from 'react'
import type { AnswerCitation } from '../../../api/chat.ts'
import { Button } from '../../../ui/button.tsx'
import { Message } from '../../../ui/message.tsx'
import type { AnswerDraft } from './join-draft.ts'

interface MessagesProps {
  /** Takes the focus from buttons that disappear. */
  log: RefObject<HTMLDivElement | null>
  messages: ChatMessage[]
  draft: AnswerDraft | null
  /** Says what happens before an answer begins. */
  waiting: string
  /** Shows a citation. `previous`: the one before it in the answer. */
  cite: (citation: AnswerCitation, previous: AnswerCitation | undefined) => ReactNode
  /** Asks the last question again. */
  onRetry: (question: string) => void
}

/** The questions and answers of a conversation, and the answer that is being written. */
export function Messages({ log, messages, draft, waiting, cite, onRetry }: MessagesProps) {
  const lastQuestion = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  return (
    <div ref={log} role="log" aria-label="Conversation" tabIndex={-1} className="outline-none">
      <ol className="flex flex-col gap-4">
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages change only at the end, and questions have no ID
          <li key={index} className="flex flex-col">
            {message.role === 'user' ? (
              <Question text={message.content} />
            ) : (
              <StoredAnswer
                message={message}
                waiting={waiting}
                cite={cite}
                onRetry={index === messages.length - 1 && !draft ? () => onRetry(lastQuestion) : undefined}
              />
            )}
          </li>
        ))}
        {draft && (
          <>
            <li className="flex flex-col">
              <Question text={draft.question} />
            </li>
            <li aria-busy="true">
              {draft.text === '' ? (
                <Writing waiting={waiting} />
              ) : (
                <Answer text={draft.text} citations={draft.citations} cite={cite} />
              )}
            </li>
          </>
        )}
      </ol>
    </div>
  )
}

function Question({ text }: { text: string }) {
  return (
    <p
      dir="auto"
      className="max-w-[85%] self-end rounded-2xl rounded-ee-md bg-accent-soft px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-wrap"
    >
      <span className="sr-only">You asked: </span>
      {text}
    </p>
  )
}

function Writing({ waiting }: Pick<MessagesProps, 'waiting'>) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <span className="size-2 animate-pulse rounded-full bg-accent" aria-hidden="true" />
      {waiting}
    </p>
  )
}

interface StoredAnswerProps extends Pick<MessagesProps, 'waiting' | 'cite'> {
  message: StoredAssistantMessage
  /** Undefined for all answers but the last. */
  onRetry: (() => void) | undefined
}

function StoredAnswer({ message, waiting, cite, onRetry }: StoredAnswerProps) {
  const { status, content, citations, answer_kind: kind, warnings = [] } = message
  if (status === 'pending') return <Writing waiting={waiting} />
  if (status === 'failed') {
    return (
      <div className="flex flex-col items-start gap-2 text-sm text-danger">
        This answer could not be written. It cost nothing.
        {onRetry && <Button onClick={onRetry}>Ask again</Button>}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      {kind === 'passages' && (
        <p className="text-xs font-medium text-muted">
          This answer was not written by a language model. These passages of the transcript match your question best:
        </p>
      )}
      <Answer text={content} citations={citations} cite={cite} />
      {warnings.map(({ code, message: text }) => (
        <p key={code} className="text-xs text-warning">
          <Message text={text} />
        </p>
      ))}
    </div>
  )
}

interface AnswerProps extends Pick<MessagesProps, 'cite'> {
  text: string
  citations: AnswerCitation[]
}

/** A text with its citations at the places to which they belong. */
function Answer({ text, citations, cite }: AnswerProps) {
  let end = 0
  const parts = citations.map((citation, nth) => {
    const { job_id, segment_id, position } = citation
    const before = text.slice(end, position)
    end = Math.max(end, position)
    return (
      <Fragment key={`${job_id} ${segment_id} ${position}`}>
        {before} {cite(citation, citations[nth - 1])}
      </Fragment>
    )
  })
  return (
    <p dir="auto" className="text-[0.95rem] leading-relaxed wrap-anywhere whitespace-pre-wrap">
      {parts}
      {text.slice(end)}
    </p>
  )
}
