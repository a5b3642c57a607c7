import ChevronDown from 'virtual:icons/chevron-down'
import ChevronUp from 'virtual:icons/chevron-up'
import Search from 'virtual:icons/search'
import type { Segment } from '@subtext/sdk'
import { type RefObject, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { findTextMatches } from './find-in-transcript.ts'

/** Marks every occurrence of the search in a text. */
export function Marked({ text, query }: { text: string; query: string }) {
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

/** The lines that contain what is searched for, and which of them is shown. */
export function useSearch(segments: Segment[]) {
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

/** The search field of the transcript, with the number of lines found. */
export function SearchField({
  search,
  field,
}: {
  search: ReturnType<typeof useSearch>
  field: RefObject<HTMLInputElement | null>
}) {
  const { query, found, position } = search
  return (
    <search className="flex min-w-0 grow basis-40 items-center gap-1">
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
