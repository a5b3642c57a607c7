import type { Source, SourceVideo, SourceVideoType } from '@subtext/sdk'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { sourceVideosKey } from '../../api/sources.ts'
import { formatDay, formatTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { MAX_SELECTED, ProcessEpisode, ProcessSelected } from './process-selected.tsx'

const TYPES = [
  ['', 'All'],
  ['video', 'Videos'],
  ['short', 'Shorts'],
  ['live', 'Streams'],
] as const

const REASONS: Record<string, string> = {
  members_only: 'For members',
  not_started: 'Not started',
  live: 'Live now',
  private: 'Private',
  deleted: 'Deleted',
  no_captions: 'No transcript',
}

/** The videos of a source, of which some can be chosen and processed. */
export function SourceVideos({ source }: { source: Source }) {
  const { source_id } = source
  const [type, setType] = useState<SourceVideoType | ''>('')
  const [isRest, setIsRest] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const account = useQuery(accountQuery)
  const pages = useInfiniteQuery({
    queryKey: [...sourceVideosKey(source_id), type, isRest],
    queryFn: ({ pageParam }) =>
      subtext.sources.videos(source_id, { type: type || undefined, notProcessed: isRest || undefined }).page(pageParam),
    ...CURSOR_PAGES,
  })
  const canProcess = account.data?.features.includes('batches') ?? false
  const toggle = (videoId: string) =>
    setChosen((known) =>
      known.has(videoId) ? new Set([...known].filter((id) => id !== videoId)) : new Set([...known, videoId]),
    )
  return (
    <div>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        {source.kind === 'channel' && <Select label="Type" options={TYPES} value={type} onChange={setType} />}
        <Chip name="Not processed yet" isChosen={isRest} onToggle={() => setIsRest(!isRest)} />
      </div>
      {account.data && !canProcess && (
        <p className="mb-4 text-sm text-muted">
          Processing many at once is part of the {FEATURE_PLANS.batches} plan. Open one to process it alone.
        </p>
      )}
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const videos = loaded.flatMap(({ items }) => items)
          if (videos.length === 0) return <EmptyState title="Nothing matches">Try it without the filters.</EmptyState>
          return (
            <>
              {canProcess && <Selection videos={videos} chosen={chosen} onChoose={setChosen} sourceId={source_id} />}
              <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
                {videos.map((video) => (
                  <VideoRow
                    key={video.video_id}
                    video={video}
                    sourceId={source_id}
                    isChosen={chosen.has(video.video_id)}
                    onToggle={canProcess ? () => toggle(video.video_id) : undefined}
                  />
                ))}
              </ul>
              <LoadMore pages={pages} />
            </>
          )
        }}
      </QueryView>
    </div>
  )
}

const isFree = ({ state, job_status }: SourceVideo): boolean =>
  state === 'listed' && (job_status === undefined || job_status === 'failed')

interface SelectionProps {
  sourceId: string
  videos: readonly SourceVideo[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** How many are chosen, and what can be done with them. It stays in sight while one scrolls. */
function Selection({ sourceId, videos, chosen, onChoose }: SelectionProps) {
  const unprocessed = videos.filter(isFree).slice(0, MAX_SELECTED)
  return (
    <div className="sticky top-2 z-10 mb-3 flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-line bg-surface px-4 py-2.5 shadow-sm">
      <p role="status" className="text-sm text-muted">
        {chosen.size === 0 ? 'Select what to process.' : `${chosen.size} selected`}
        {chosen.size > MAX_SELECTED && `. At most ${MAX_SELECTED} at once.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {chosen.size > 0 ? (
          <Button onClick={() => onChoose(new Set())}>Clear</Button>
        ) : (
          <Button
            disabled={unprocessed.length === 0}
            onClick={() => onChoose(new Set(unprocessed.map(({ video_id }) => video_id)))}
          >
            Select all unprocessed
          </Button>
        )}
        <ProcessSelected sourceId={sourceId} videoIds={[...chosen]} />
      </div>
    </div>
  )
}

interface VideoRowProps {
  video: SourceVideo
  sourceId: string
  isChosen: boolean
  /** Absent if nothing can be chosen. */
  onToggle: (() => void) | undefined
}

function VideoRow({ video, sourceId, isChosen, onToggle }: VideoRowProps) {
  const { title, video_id, video_url, duration_seconds, published_at, published_at_approximate, type, state, reason } =
    video
  const facts = [
    duration_seconds !== undefined && formatTime(duration_seconds),
    published_at && `${published_at_approximate ? 'about ' : ''}${formatDay(published_at)}`,
    type === 'short' && 'Short',
    type === 'live' && 'Stream',
  ].filter(Boolean)
  const isOut = state === 'unavailable'
  return (
    <li className={cx('flex items-start gap-3 px-4 py-3', isOut && 'text-muted')}>
      {onToggle && (
        <input
          type="checkbox"
          aria-label={`Select ${title || video_id}`}
          checked={isChosen}
          disabled={isOut}
          onChange={onToggle}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
      )}
      <div className="min-w-0 grow">
        {isOut ? (
          <span className="wrap-anywhere">{title || video_id}</span>
        ) : type === 'episode' ? (
          <ProcessEpisode sourceId={sourceId} videoId={video_id} title={title || video_id} />
        ) : (
          <Link to="/" search={{ url: video_url }} className="font-medium wrap-anywhere hover:underline">
            {title || video_id}
          </Link>
        )}
        <p className="mt-0.5 text-xs text-muted">{facts.join(' · ')}</p>
      </div>
      <Outcome video={video} reason={reason} />
    </li>
  )
}

/** Why a video cannot be processed, or what has become of it. */
function Outcome({ video: { job_id, job_status }, reason }: { video: SourceVideo; reason?: string }) {
  if (job_id && job_status) {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="shrink-0">
        <StatusBadge status={job_status} />
      </Link>
    )
  }
  return reason ? <span className="shrink-0 text-xs">{REASONS[reason] ?? reason}</span> : null
}
