import MessageSquarePlus from 'virtual:icons/message-square-plus'
import { type ReactNode, useRef, useState } from 'react'
import type { AnswerCitation, ChatAbout } from '../../../api/chat.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { describeChatError } from './describe-chat-error.ts'
import { Messages } from './messages.tsx'
import { QuestionForm } from './question-form.tsx'
import { useChat } from './use-chat.ts'

/** The frame of a chat. */
export function ChatFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby="chat" className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-5">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 id="chat" className="text-lg font-semibold tracking-tight">
          Chat
        </h2>
        {actions && <div className="flex gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

interface ChatProps {
  about: ChatAbout
  /** Says where answers come from. */
  explanation: string
  suggestions: readonly string[]
  placeholder: string
  /** Says what happens before an answer begins. */
  waiting: string
  cite: (citation: AnswerCitation, previous: AnswerCitation | undefined) => ReactNode
}

/** Questions and their answers, in conversations. */
export function Chat({ about, explanation, suggestions, placeholder, waiting, cite }: ChatProps) {
  const chat = useChat(about)
  const [text, setText] = useState('')
  const { conversation, conversationId, messages, draft, isBusy } = chat
  const ask = async (message: string) => {
    // What has been typed in the meantime is kept.
    if (!(await chat.send(message))) setText((typed) => (typed ? `${message}\n${typed}` : message))
  }
  const choose = async (suggestion: string) => {
    // It can be chosen again, so it does not change what is in the field.
    if (!(await chat.send(suggestion))) setText((typed) => typed || suggestion)
  }
  const log = useRef<HTMLDivElement>(null)
  const repeat = (action: () => unknown) => {
    // The button disappears, and would take the focus with it.
    log.current?.focus({ preventScroll: true })
    void action()
  }
  return (
    <ChatFrame
      actions={
        <>
          <ConversationMenu about={about} current={conversationId} onOpen={chat.open} />
          {conversationId !== null && (
            <Button variant="quiet" onClick={() => chat.open(null)}>
              <MessageSquarePlus className="size-4" aria-hidden="true" />
              New
              <span className="sr-only">conversation</span>
            </Button>
          )}
        </>
      }
    >
      {conversationId === null && !draft ? (
        <Suggestions
          explanation={explanation}
          suggestions={suggestions}
          onChoose={(question) => void choose(question)}
        />
      ) : (
        <Messages
          log={log}
          messages={messages}
          draft={draft}
          waiting={waiting}
          cite={cite}
          onRetry={(question) => repeat(() => chat.send(question, true))}
        />
      )}
      <ErrorNotice error={conversation.error} />
      {conversation.isLoadingError && (
        <Button className="self-start" onClick={() => repeat(conversation.refetch)}>
          Try again
        </Button>
      )}
      {chat.error !== null && <Notice tone="danger">{describeChatError(chat.error)}</Notice>}
      <QuestionForm
        text={text}
        onChange={setText}
        busy={isBusy}
        placeholder={placeholder}
        disabled={conversation.isLoadingError}
        onAsk={(message) => void ask(message)}
      />
    </ChatFrame>
  )
}

interface SuggestionsProps extends Pick<ChatProps, 'explanation' | 'suggestions'> {
  onChoose: (question: string) => void
}

function Suggestions({ explanation, suggestions, onChoose }: SuggestionsProps) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm leading-relaxed text-muted">{explanation}</p>
      <div className="flex flex-wrap gap-2">
        {suggestions.map((question) => (
          <button
            key={question}
            type="button"
            onClick={() => onChoose(question)}
            className="rounded-full border border-line px-3 py-1 text-sm text-muted transition hover:border-accent hover:text-accent"
          >
            {question}
          </button>
        ))}
      </div>
    </div>
  )
}
