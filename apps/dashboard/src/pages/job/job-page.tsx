import type { DefaultResult, Job, Segment } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import {
  hasEnded,
  type ResultWithWarnings,
  resultQuery,
  type Summaries,
  segmentsQuery,
  useLiveJob,
} from '../../api/jobs.ts'
import { formatDateTime, formatDay, formatTime, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Message } from '../../ui/message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { describeModes, describeRequest } from '../../vocabulary.ts'
import { ChatPanel } from './chat/chat-panel.tsx'
import { DeriveJobDialog } from './derive-job.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { Extractions } from './extractions.tsx'
import { Infographic } from './infographic.tsx'
import { JobProgress } from './job-progress.tsx'
import { findLineAt, findLinkedLine } from './moments.ts'
import { Player } from './player.tsx'
import { PlayerState } from './player-state.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { SummaryTabs } from './summaries.tsx'
import { Transcript } from './transcript.tsx'
import { useShortcuts } from './use-shortcuts.ts'

export function JobPage() {
  const { jobId } = useParams({ from: '/members/jobs/$jobId' })
  const { job, ...live } = useLiveJob(jobId)
  return (
    <QueryView query={job} fallbackTitle="Job">
      {(data) => (data.status === 'completed' ? <Completed job={data} /> : <Unfinished job={data} {...live} />)}
    </QueryView>
  )
}

const titleOf = (job: Job): string => job.video_title ?? formatUrl(job.video_url)

const describeTime = ({ created_at }: Job): string => `Submitted ${formatDateTime(created_at)}`

interface UnfinishedProps {
  job: Job
  summaries: Summaries
  /** Why the job cannot be followed now. */
  interruption: Error | null
  resume: () => void
}

/** A job that is not finished: its progress and the summaries so far, or the reason why it failed. */
function Unfinished({ job, summaries, interruption, resume }: UnfinishedProps) {
  return (
    <>
      <PageHeader
        title={titleOf(job)}
        description={<Facts facts={[describeTime(job), describeModes(job), ...describeRequest(job)].filter(Boolean)} />}
        actions={<StatusBadge status={job.status} />}
      />
      <div className="flex flex-col gap-8">
        {interruption && (
          <div className="flex flex-wrap items-center gap-3">
            <ErrorNotice error={interruption} />
            <Button onClick={resume}>Try again</Button>
          </div>
        )}
        <JobProgress job={job} />
        {!hasEnded(job) && (
          <SummaryTabs
            summaries={summaries}
            videoId={job.video_id}
            language={null}
            lit={null}
            onCite={null}
            actions={null}
          />
        )}
      </div>
    </>
  )
}

function Completed({ job }: { job: Job }) {
  const result = useQuery(resultQuery(job.job_id))
  return (
    <QueryView query={result} fallbackTitle={titleOf(job)}>
      {(data) => <Result job={job} {...data} />}
    </QueryView>
  )
}

function Result({ job, result, warnings }: { job: Job } & ResultWithWarnings) {
  const { video_info: video, transcript, summaries } = result
  const segments = useQuery(segmentsQuery(job.job_id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: every job has a player of its own
  const player = useMemo(() => new PlayerState(), [job.job_id])
  const [lit, setLit] = useState<number | null>(null)
  const searchField = useRef<HTMLInputElement>(null)
  useShortcuts({ player, segments: segments.data ?? [], chapters: video.chapters, searchField })
  const cite = async (seconds: number) => {
    setLit(seconds)
    // A citation of a summary names a whole second, in which its line begins a little later.
    const lines = segments.data ?? (await segments.refetch()).data ?? []
    player.seek(findLineAt(lines, seconds)?.start ?? seconds)
  }
  const column = useRef<HTMLDivElement>(null)
  useLinkedMoment(segments.data, player, column)
  return (
    <>
      <ShortcutHelp />
      <PageHeader
        title={video.title}
        description={<Provenance job={job} result={result} />}
        actions={<DownloadMenu jobId={job.job_id} />}
      />
      {warnings.map(({ code, message }) => (
        <div key={code} className="mb-4">
          <Notice tone="warning">
            <Message text={message} />
          </Notice>
        </div>
      ))}
      {/* Beside the rest where there is space; on a phone, the transcript follows the summaries. */}
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-6">
          <Player
            player={player}
            videoId={video.video_id}
            title={video.title}
            url={video.url}
            thumbnailUrl={video.thumbnail_url}
            kind={video.source?.kind ?? 'video'}
          />
          <SummaryTabs
            summaries={summaries}
            videoId={video.video_id}
            language={transcript.language}
            lit={lit}
            onCite={(seconds) => void cite(seconds)}
            actions={<DeriveJobDialog job={job} result={result} />}
          />
          <Extractions
            jobId={job.job_id}
            extractions={result.extractions ?? {}}
            lit={lit}
            onCite={(seconds) => void cite(seconds)}
          />
        </div>
        <div
          ref={column}
          className="min-w-0 lg:sticky lg:top-4 print:static lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start"
        >
          <QueryView query={segments}>
            {(lines) => (
              <Transcript
                jobId={job.job_id}
                video={video}
                segments={lines}
                language={transcript.language}
                player={player}
                searchField={searchField}
              />
            )}
          </QueryView>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {/* Every video has conversations of its own. */}
          <ChatPanel key={job.job_id} jobId={job.job_id} lit={lit} onCite={(seconds) => void cite(seconds)} />
          {result.infographic_url && (
            <Infographic jobId={job.job_id} title={video.title} altText={result.infographic_alt_text} />
          )}
        </div>
      </div>
    </>
  )
}

/** Goes to the line of the moment that the address names, as in `#t=83`, and to the transcript if it is not in view. */
function useLinkedMoment(
  lines: Segment[] | undefined,
  player: PlayerState,
  transcript: RefObject<HTMLElement | null>,
): void {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    const line = findLinkedLine(lines ?? [], hash)
    if (!line) return
    player.seek(line.start)
    const box = transcript.current
    if (box && box.getBoundingClientRect().top > innerHeight / 2) box.scrollIntoView()
  }, [hash, lines, player, transcript])
}

interface ProvenanceProps {
  job: Job
  result: DefaultResult
}

/** The channel of the video, the source of its text, in the words of documents, and what the job was asked for. */
function Provenance({ job, result: { video_info: video, transcript, summaries, usage } }: ProvenanceProps) {
  const captions = transcript.kind === 'auto' ? 'automatic captions' : 'written captions'
  // What somebody imported says nothing about who wrote it.
  const origin = video.source?.kind === 'import' ? '' : `, ${captions}`
  const writer =
    usage.model === 'extractive' ? 'summaries consist of sentences from the transcript' : `summaries by ${usage.model}`
  const hasSummaries = Object.keys(summaries).length > 0
  return (
    <>
      {video.channel.name !== '' && (
        <>
          <a href={video.url} rel="noreferrer" target="_blank" className="underline-offset-4 hover:underline">
            <bdi>{video.channel.name}</bdi>
          </a>
          {' · '}
        </>
      )}
      {`${formatTime(video.duration_seconds)} · `}
      {video.published_at && `${formatDay(video.published_at)} · `}
      <bdi>{transcript.name}</bdi>
      {hasSummaries ? `${origin} · ${writer}` : origin}
      <br />
      <Facts facts={[describeTime(job), ...describeRequest(job)]} />
    </>
  )
}
