import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { accountQuery } from '../../api/account.ts'
import { type AnswerCitation, aboutLibrary } from '../../api/chat.ts'
import { formatTime } from '../../format.ts'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Chat } from '../job/chat/chat.tsx'

const SUGGESTIONS = ['What do the videos agree on?', 'Where do they differ?', 'What do they recommend?']
const EXPLANATION =
  'Answers come only from your transcripts. Every sentence links to the moments that support it, and questions that no video answers stay unanswered.'

/** Questions about all videos of the account, or those of a batch that the address names. */
export function AskPage() {
  const { batch } = useSearch({ from: '/members/ask' })
  const account = useQuery(accountQuery)
  const about = useMemo(() => aboutLibrary(batch === undefined ? { all: true } : { batch_id: batch }), [batch])
  return (
    <>
      <PageHeader
        title="Ask"
        description={batch === undefined ? 'Ask all of your videos at once.' : 'Ask all videos of a batch at once.'}
        actions={
          batch !== undefined && (
            <Link to="/ask" className="text-sm text-accent underline-offset-4 hover:underline">
              Ask all videos instead
            </Link>
          )
        }
      />
      <QueryView query={account}>
        {({ features }) =>
          features.includes('chat') ? (
            <Chat
              key={batch}
              about={about}
              explanation={EXPLANATION}
              suggestions={SUGGESTIONS}
              placeholder="Ask your library"
              waiting="Searching your videos…"
              cite={(citation, previous) => (
                <CitationLink citation={citation} isSameVideo={previous?.job_id === citation.job_id} />
              )}
            />
          ) : (
            <EmptyState title="Not in your plan">
              Questions about your videos are part of the {FEATURE_PLANS.chat} plan: ask the operator of this
              installation to change yours.
            </EmptyState>
          )
        }
      </QueryView>
    </>
  )
}

interface CitationLinkProps {
  citation: AnswerCitation
  /** Whether the citation before it has named the video. */
  isSameVideo: boolean
}

/** A link to the line of a video that supports a sentence. */
function CitationLink({ citation: { job_id = '', video_title, start, text }, isSameVideo }: CitationLinkProps) {
  return (
    <Link
      to="/jobs/$jobId"
      params={{ jobId: job_id }}
      hash={`t=${start}`}
      title={text}
      aria-label={`${video_title}, ${formatTime(start)}`}
      className="inline-flex items-baseline gap-1 rounded-md bg-accent-soft px-1.5 py-px align-baseline text-xs font-medium whitespace-nowrap text-accent hover:underline"
    >
      {!isSameVideo && <bdi className="max-w-48 truncate">{video_title}</bdi>}
      <span className="tabular-nums">{formatTime(start)}</span>
    </Link>
  )
}
