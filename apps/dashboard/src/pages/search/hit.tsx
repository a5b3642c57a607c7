import type { LibraryHit, LibraryPassage } from '@subtext/sdk'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { formatDay, formatTime } from '../../format.ts'
import { buildSnippet } from './snippet.ts'

/** A video with the passages in which something is said. */
export function Hit({ hit: { job_id, video_title, channel, published_at, passages } }: { hit: LibraryHit }) {
  const titleId = useId()
  return (
    <li className="overflow-hidden rounded-2xl border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3.5 pb-2">
        <h2 id={titleId} dir="auto" className="min-w-0 font-medium wrap-anywhere">
          <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="underline-offset-4 hover:underline">
            {video_title}
          </Link>
        </h2>
        <p className="text-xs wrap-anywhere text-muted">
          <bdi>{channel.name}</bdi>
          {published_at && ` · ${formatDay(published_at)}`}
        </p>
      </div>
      <ul aria-labelledby={titleId} className="pb-1.5">
        {passages.map((passage) => (
          <li key={passage.start}>
            <Passage jobId={job_id} passage={passage} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** A link to the line of the first match. */
function Passage({ jobId, passage: { start, text, highlights } }: { jobId: string; passage: LibraryPassage }) {
  const [first] = highlights
  return (
    <Link
      to="/jobs/$jobId"
      params={{ jobId }}
      hash={`t=${start}&at=${first?.[0] ?? 0}`}
      className="flex gap-3 px-4 py-2 text-sm leading-relaxed hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="w-12 shrink-0 pt-px text-end text-xs text-muted tabular-nums">{formatTime(start)}</span>
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {buildSnippet(text, highlights).map(({ text: piece, isMarked }, nth) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a passage never change
            <mark key={nth} className="rounded-sm bg-warning-soft text-warning">
              {piece}
            </mark>
          ) : (
            piece
          ),
        )}
      </span>
    </Link>
  )
}
