import type { LibrarySearchKind } from '@subtext/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatCount } from '../../format.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { LIBRARY_FIELD } from '../../ui/use-search-key.ts'
import { Hit } from './hit.tsx'

const KINDS: [LibrarySearchKind, string][] = [
  ['words', 'All words'],
  ['question', 'Question'],
]

const readKind = (kind: string | undefined): LibrarySearchKind => (kind === 'question' ? 'question' : 'words')

/** Searches what was said in all videos of the account. What is searched for stands in the address. */
export function SearchPage() {
  const shown = useSearch({ from: '/members/search' })
  const navigate = useNavigate()
  const [text, setText] = useState(shown.q ?? '')
  const kind = readKind(shown.kind)
  const wanted = useDelayed(text.trim())
  const setKind = (next: LibrarySearchKind) =>
    void navigate({ to: '/search', replace: true, search: { ...shown, kind: next === 'words' ? undefined : next } })
  useEffect(() => {
    void navigate({
      to: '/search',
      replace: true,
      search: (before) => ({ ...before, q: wanted || undefined }),
    })
  }, [wanted, navigate])
  useEffect(() => document.getElementById(LIBRARY_FIELD)?.focus(), [])
  return (
    <>
      <PageHeader title="Search" description="Finds what was said in your videos, to the moment." />
      <search className="mb-4 flex flex-wrap gap-3">
        <SearchField
          id={LIBRARY_FIELD}
          label="Search your library"
          placeholder="Search your library"
          maxLength={200}
          value={text}
          onChange={setText}
          className="grow"
        />
        <Select label="Find" options={KINDS} value={kind} onChange={setKind} />
      </search>
      {wanted === '' ? <Explanation /> : <Hits q={wanted} kind={kind} />}
    </>
  )
}

function Hits({ q, kind }: { q: string; kind: LibrarySearchKind }) {
  const pages = useInfiniteQuery({
    queryKey: ['library', q, kind],
    queryFn: ({ pageParam, signal }) => subtext.library.search(q, { kind }, { signal }).page(pageParam),
    ...CURSOR_PAGES,
    // The hits of the word before stay until those of the next one are there.
    placeholderData: keepPreviousData,
    // A video that has been processed since is found at once.
    staleTime: 0,
  })
  return (
    <QueryView query={pages}>
      {({ pages: loaded }) => {
        const hits = loaded.flatMap(({ items }) => items)
        return (
          <div aria-busy={pages.isPlaceholderData}>
            <p role="status" className="mb-3 text-sm text-muted">
              {describe(hits.length, pages.hasNextPage)}
            </p>
            {hits.length > 0 ? (
              <ul className="flex flex-col gap-4">
                {hits.map((hit) => (
                  <Hit key={hit.job_id} hit={hit} />
                ))}
              </ul>
            ) : (
              <EmptyState title="Nothing found">
                {kind === 'words'
                  ? 'All words have to be said in one video. Try fewer, or ask a question.'
                  : 'Try other words.'}
              </EmptyState>
            )}
            <LoadMore pages={pages} />
          </div>
        )
      }}
    </QueryView>
  )
}

const describe = (videos: number, hasMore: boolean): string => {
  if (videos === 0) return hasMore ? 'Nothing found so far.' : 'No video says this.'
  return hasMore ? `The best ${formatCount(videos, 'video', 'videos')}.` : `${formatCount(videos, 'video', 'videos')}.`
}

const Explanation = () => (
  <EmptyState title="Every word of every video">
    <p>
      Words are found in all their forms. <code>"in quotes"</code> finds a phrase, and <code>-word</code> leaves out
      videos that say it.
    </p>
  </EmptyState>
)
