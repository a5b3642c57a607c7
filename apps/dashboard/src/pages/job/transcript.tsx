import ChevronDown from 'virtual:icons/chevron-down'
import ChevronUp from 'virtual:icons/chevron-up'
import Search from 'virtual:icons/search'
import type { Segment } from '@subtext/sdk'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { formatTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useIsPrinting } from '../../ui/use-is-printing.ts'
import { findSegment, findTextMatches } from './find-in-transcript.ts'
import { LineActions, useHoveredLine } from './line-actions.tsx'
import { quoteLine, timeOf } from './moments.ts'
import { type PlayerState, usePlayerTime } from './player-state.ts'
import { useTabStop } from './use-tab-stop.ts'

/**
 * Maximum number of printed lines, over an hour of them. Paper does not scroll, so a transcript of up to this length is printed
 * whole. Many more lines would take the browser minutes; the PDF has them all.
 */
const MAX_PRINTED = 2_000

interface TranscriptProps {
  jobId: string
  video: { title: string; url: string }
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
  const hover = useHoveredLine()
  const active = shown.find(({ index }) => index === (hover.hovered ?? tabStop.focused ?? current))
  const line = active && segments[active.index]
  return (
    <section aria-label="Transcript" className="flex min-h-0 flex-col rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-2 print:hidden">
        <SearchField search={search} field={searchField} />
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
        {...hover.handlers}
        onWheel={stopFollowing}
        onTouchMove={stopFollowing}
        className={cx(!isWhole && 'h-[60vh] min-h-72 overflow-y-auto overscroll-contain lg:h-[calc(100dvh-6rem)]')}
      >
        <div dir="auto" className="relative">
          <ol lang={language} className="relative" style={isWhole ? {} : { height: rows.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const segment = segments[index]
              if (!segment) return null
              return (
                <li
                  key={segment.id}
                  ref={isWhole ? undefined : rows.measureElement}
                  data-index={index}
                  aria-posinset={index + 1}
                  aria-setsize={segments.length}
                  className={isWhole ? 'break-inside-avoid' : 'absolute inset-x-0 top-0'}
                  style={isWhole ? {} : { transform: `translateY(${start}px)` }}
                >
                  <Line
                    segment={segment}
                    isCurrent={index === current}
                    isTabStop={index === stop}
                    query={search.query}
                    isMatch={index === search.match}
                    isLong={isLong}
                    player={player}
                  />
                </li>
              )
            })}
          </ol>
          {line && (
            <LineActions
              key={line.id}
              line={line}
              quote={quoteLine(line, video)}
              address={`${location.origin}/jobs/${jobId}#t=${timeOf(segments, line)}`}
              top={active.start}
            />
          )}
        </div>
      </section>
    </section>
  )
}

/** Adds an index, if there is one, to others that are in order. */
const withIndex = (indexes: number[], index: number | null): number[] =>
  index === null || indexes.includes(index) ? indexes : [...indexes, index].toSorted((one, other) => one - other)

interface LineProps {
  segment: Segment
  isCurrent: boolean
  isTabStop: boolean
  isMatch: boolean
  /** Whether the video is longer than an hour, so that times are wider. */
  isLong: boolean
  query: string
  player: PlayerState
}

/** Rendered again only if something about it changes: scrolling renders the list for every frame. */
const Line = memo(function Line({ segment, isCurrent, isTabStop, isMatch, isLong, query, player }: LineProps) {
  return (
    <button
      type="button"
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => player.seek(segment.start)}
      className={cx(
        'flex w-full gap-3 px-3 py-1.5 text-start text-sm leading-relaxed hover:bg-sunken focus-visible:-outline-offset-2',
        isCurrent && 'bg-accent-soft',
        isMatch && 'ring-2 ring-accent ring-inset',
      )}
    >
      <span className={cx('shrink-0 pt-px text-end text-xs text-muted tabular-nums', isLong ? 'w-14' : 'w-9')}>
        {formatTime(segment.start)}
      </span>
      <span>
        <Marked text={segment.text} query={query} />
      </span>
    </button>
  )
})

/** Marks every occurrence of the search in a text. */
function Marked({ text, query }: { text: string; query: string }) {
  const matches = useMemo(() => findTextMatches(text, query), [text, query])
  let end = 0
  const parts = matches.flatMap(([from, to]) => {
    const before = text.slice(end, from)
    end = to
    return [
      before,
      <mark key={from} className="rounded-sm bg-warning-soft text-warning">
        {text.slice(from, to)}
      </mark>,
    ]
  })
  return <>{[...parts, text.slice(end)]}</>
}

function useSearch(segments: Segment[]) {
  const [query, setQuery] = useState('')
  const [position, setPosition] = useState(0)
  const found = useMemo(
    () => segments.flatMap(({ text }, index) => (findTextMatches(text, query).length > 0 ? [index] : [])),
    [segments, query],
  )
  return {
    query,
    found,
    position,
    match: found[position] ?? null,
    change(next: string) {
      setQuery(next)
      setPosition(0)
    },
    step(by: number) {
      if (found.length > 0) setPosition((position + by + found.length) % found.length)
    },
  }
}

function SearchField({
  search,
  field,
}: {
  search: ReturnType<typeof useSearch>
  field: RefObject<HTMLInputElement | null>
}) {
  const { query, found, position } = search
  return (
    <search className="flex min-w-0 grow items-center gap-1">
      <label className="flex h-9 min-w-0 grow items-center gap-2 rounded-lg border border-line bg-canvas px-2.5">
        <Search className="size-4 text-muted" aria-hidden="true" />
        <span className="sr-only">Search in transcript</span>
        <input
          ref={field}
          type="search"
          placeholder="Search in transcript"
          value={query}
          onChange={(event) => search.change(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && search.step(event.shiftKey ? -1 : 1)}
          className="w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-muted"
        />
      </label>
      <output className="shrink-0 px-1 text-center text-xs text-muted tabular-nums empty:hidden">
        {query !== '' && (found.length > 0 ? `${position + 1} of ${found.length}` : 'No match')}
      </output>
      <Button
        variant="quiet"
        className="!px-2"
        aria-label="Previous match"
        disabled={found.length === 0}
        onClick={() => search.step(-1)}
      >
        <ChevronUp className="size-4" aria-hidden="true" />
      </Button>
      <Button
        variant="quiet"
        className="!px-2"
        aria-label="Next match"
        disabled={found.length === 0}
        onClick={() => search.step(1)}
      >
        <ChevronDown className="size-4" aria-hidden="true" />
      </Button>
    </search>
  )
}
