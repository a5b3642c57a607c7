import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { aboutJob } from '../../../api/chat.ts'
import { formatTime } from '../../../format.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { CitationButton } from '../citation-button.tsx'
import { Chat, ChatFrame } from './chat.tsx'

interface ChatPanelProps {
  jobId: string
  /** The highlighted citation, in seconds; null for none. */
  lit: number | null
  onCite: (seconds: number) => void
}

const SUGGESTIONS = ['What is the main point?', 'Who and what is mentioned?', 'What should I remember?']
const EXPLANATION =
  'Answers come only from the transcript. Every sentence links to the moment that supports it, and questions that the video does not answer stay unanswered.'

/** Questions about the video of a finished job. */
export function ChatPanel({ jobId, lit, onCite }: ChatPanelProps) {
  const account = useQuery(accountQuery)
  const about = useMemo(() => aboutJob(jobId), [jobId])
  return (
    <QueryView query={account}>
      {({ features }) =>
        features.includes('chat') ? (
          <Chat
            about={about}
            explanation={EXPLANATION}
            suggestions={SUGGESTIONS}
            placeholder="Ask a question about this video"
            waiting="Reading the transcript…"
            cite={({ start, text }) => (
              <CitationButton seconds={start} title={text} isLit={lit === start} onCite={onCite}>
                {formatTime(start)}
              </CitationButton>
            )}
          />
        ) : (
          <ChatFrame>
            <p className="text-sm leading-relaxed text-muted">
              Ask questions about the video, and get answers in which every sentence links to the moment that supports
              it. Chat is part of the {FEATURE_PLANS.chat} plan: ask the operator of this installation to change yours.
            </p>
          </ChatFrame>
        )
      }
    </QueryView>
  )
}
