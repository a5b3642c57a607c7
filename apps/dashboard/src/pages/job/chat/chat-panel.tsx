import MessageSquarePlus from 'virtual:icons/message-square-plus'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { describeChatError } from './describe-chat-error.ts'
import { Messages } from './messages.tsx'
import { QuestionForm } from './question-form.tsx'
import { useChat } from './use-chat.ts'

interface ChatPanelProps {
  jobId: string
  /** The highlighted citation, in seconds; null for none. */
  lit: number | null
  onCite: (seconds: number) => void
}

/** Questions about the video of a finished job. */
export function ChatPanel(props: ChatPanelProps) {
  const account = useQuery(accountQuery)
  return (
    <QueryView query={account}>
      {({ features }) =>
        features.includes('chat') ? (
          <Chat {...props} />
        ) : (
          <Frame>
            <p className="text-sm leading-relaxed text-muted">
              Ask questions about the video, and get answers in which every sentence links to the moment that supports
              it. Chat is part of the {FEATURE_PLANS.chat} plan: ask the operator of this installation to change yours.
            </p>
          </Frame>
        )
      }
    </QueryView>
  )
}

function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
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

const SUGGESTIONS = ['What is the main point?', 'Who and what is mentioned?', 'What should I remember?']

function Chat({ jobId, lit, onCite }: ChatPanelProps) {
  const chat = useChat(jobId)
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
    <Frame
      actions={
        <>
          <ConversationMenu jobId={jobId} current={conversationId} onOpen={chat.open} />
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
        <Suggestions onChoose={(question) => void choose(question)} />
      ) : (
        <Messages
          log={log}
          messages={messages}
          draft={draft}
          lit={lit}
          onCite={onCite}
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
        disabled={conversation.isLoadingError}
        onAsk={(message) => void ask(message)}
      />
    </Frame>
  )
}

function Suggestions({ onChoose }: { onChoose: (question: string) => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm leading-relaxed text-muted">
        Answers come only from the transcript. Every sentence links to the moment that supports it, and questions that
        the video does not answer stay unanswered.
      </p>
      <div className="flex flex-wrap gap-2">
        {SUGGESTIONS.map((question) => (
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
