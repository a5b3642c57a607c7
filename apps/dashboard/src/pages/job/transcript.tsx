import type { Segment, VideoInfo } from '@subtext/sdk'
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { formatTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useIsPrinting } from '../../ui/use-is-printing.ts'
import { findSegment } from './find-in-transcript.ts'
import { LineButtons, type LineCopy, useHoveredLine, useLineActions } from './line-actions.tsx'
import { quoteLine, timeOf } from './moments.ts'
import { type PlayerState, usePlayerTime } from './player-state.ts'
import { Marked, SearchField, useSearch } from './transcript-search.tsx'
import { useTabStop } from './use-tab-stop.ts'

/**
 * Maximum number of printed lines, over an hour of them. Paper does not scroll, so a transcript of up to this length is printed
 * whole. Many more lines would take the browser minutes; the PDF has them all.
 */
const MAX_PRINTED = 2_000

interface TranscriptProps {
  jobId: string
  video: Pick<VideoInfo, 'title' | 'url' | 'source'>
  segments: Segment[]
  language: string
  player: PlayerState
  searchField: RefObject<HTMLInputElement | null>
}

/** The lines of the transcript. The line that is being spoken is followed until someone scrolls. */
export function Transcript({ jobId, video, segments, language, player, searchField }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isWhole = useIsPrinting() && segments.length <= MAX_PRINTED
  const [isFollowing, setFollowing] = useState(true)
  const current = findSegment(segments, usePlayerTime(player))
  const search = useSearch(segments)
  const stopFollowing = () => setFollowing(false)
  const tabStop = useTabStop({ count: segments.length, current, scroller, onMove: stopFollowing })
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    overscan: 12,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), tabStop.focused),
  })
  const isLong = (segments.at(-1)?.start ?? 0) >= 3_600
  const target = search.match ?? (isFollowing ? current : null)
  useEffect(() => {
    if (target !== null) rows.scrollToIndex(target, { align: 'center' })
  }, [target, rows])
  useEffect(() => {
    if (tabStop.focused !== null) rows.scrollToIndex(tabStop.focused)
  }, [tabStop.focused, rows])
  const shown = isWhole ? segments.map((_, index) => ({ index, start: 0 })) : rows.getVirtualItems()
  const stop = tabStop.find(rows.range, search.match ?? current)
  const hovered = useHoveredLine(scroller)
  const line = segments[hovered ?? tabStop.focused ?? current ?? -1]
  const actions = useLineActions({
    line,
    quote: line ? quoteLine(line, video) : '',
    address: line ? `${location.origin}/jobs/${jobId}#t=${timeOf(segments, line)}` : '',
  })
  const hoveredRow = shown.find(({ index }) => index === hovered)
  return (
    <section aria-label="Transcript" className="flex min-h-0 flex-col rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-2 print:hidden">
        <SearchField search={search} field={searchField} />
        <LineButtons actions={actions} />
        <CopyOutcome outcome={actions.outcome} />
        {!isFollowing && (
          <Button variant="quiet" onClick={() => setFollowing(true)}>
            Follow the video
          </Button>
        )}
      </div>
      <section
        ref={scroller}
        aria-label="Lines"
        {...tabStop.handlers}
        onWheel={stopFollowing}
        onTouchMove={stopFollowing}
        className={cx(!isWhole && 'h-[60vh] min-h-72 overflow-y-auto overscroll-contain lg:h-[calc(100dvh-6rem)]')}
      >
        <div dir="auto" className="relative">
          <ol lang={language} className="relative" style={isWhole ? {} : { height: rows.getTotalSize() }}>
            {shown.map((row) => {
              const segment = segments[row.index]
              return (
                segment && (
                  <Row key={row.index} row={row} count={segments.length} rows={isWhole ? null : rows}>
                    <Line
                      segment={segment}
                      speaker={segment.speaker === segments[row.index - 1]?.speaker ? undefined : segment.speaker}
                      isCurrent={row.index === current}
                      isTabStop={row.index === stop}
                      query={search.query}
                      isMatch={row.index === search.match}
                      isLong={isLong}
                      player={player}
                    />
                  </Row>
                )
              )
            })}
          </ol>
          {hoveredRow && <HoveredLine top={hoveredRow.start} actions={actions} />}
        </div>
      </section>
    </section>
  )
}

interface RowProps {
  row: { index: number; start: number }
  count: number
  /** Null if the list does not scroll, as on paper. */
  rows: Virtualizer<HTMLDivElement, Element> | null
  children: ReactNode
}

/** The place of a line in the list. */
function Row({ row: { index, start }, count, rows, children }: RowProps) {
  return (
    <li
      ref={rows?.measureElement}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={rows ? 'absolute inset-x-0 top-0' : 'break-inside-avoid'}
      style={rows ? { transform: `translateY(${start}px)` } : {}}
    >
      {children}
    </li>
  )
}

/** Buttons at the end of the line under the mouse. */
function HoveredLine({ top, actions }: { top: number; actions: LineCopy }) {
  return (
    <div
      className="absolute end-1.5 top-0.5 z-10 rounded-lg border border-line bg-surface shadow-sm print:hidden"
      style={{ transform: `translateY(${top}px)` }}
    >
      <LineButtons actions={actions} isSkipped />
    </div>
  )
}

/** Announces that something was copied, and shows why it was not. */
function CopyOutcome({ outcome }: Pick<LineCopy, 'outcome'>) {
  return (
    <span aria-live="polite" className={outcome === 'refused' ? 'px-2 text-xs text-muted' : 'sr-only'}>
      {outcome === 'refused' ? 'Your browser does not allow copying' : outcome && 'Copied'}
    </span>
  )
}

/** Adds an index, if there is one, to others that are in order. */
const withIndex = (indexes: number[], index: number | null): number[] =>
  index === null || indexes.includes(index) ? indexes : [...indexes, index].toSorted((one, other) => one - other)

interface LineProps {
  segment: Segment
  /** Who speaks, unless it is the speaker of the line before. */
  speaker: string | undefined
  isCurrent: boolean
  isTabStop: boolean
  isMatch: boolean
  /** Whether the video is longer than an hour, so that times are wider. */
  isLong: boolean
  query: string
  player: PlayerState
}

/** Rendered again only if something about it changes: scrolling renders the list for every frame. */
const Line = memo(function Line(props: LineProps) {
  const { segment, speaker, isCurrent, isTabStop, isMatch, isLong, query, player } = props
  return (
    <button
      type="button"
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => player.seek(segment.start)}
      className={cx(
        'flex w-full gap-3 px-3 py-1.5 text-start text-sm leading-relaxed focus-visible:-outline-offset-2',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-sunken',
        isMatch && 'ring-2 ring-accent ring-inset',
      )}
    >
      <span className={cx('shrink-0 pt-px text-end text-xs text-muted tabular-nums', isLong ? 'w-14' : 'w-9')}>
        {formatTime(segment.start)}
      </span>
      <span>
        {speaker !== undefined && <span className="mb-0.5 block text-xs font-semibold text-accent">{speaker}</span>}
        <Marked text={segment.text} query={query} />
      </span>
    </button>
  )
})
