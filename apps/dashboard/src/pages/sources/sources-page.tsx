import type { Source } from '@subtext/sdk'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { SOURCES_KEY, sourceQuery } from '../../api/sources.ts'
import { formatCount, formatRelative, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { CONTROL } from '../../ui/control.ts'
import { cx } from '../../ui/cx.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const SAMPLES = [
  ['Use a sample channel', () => 'https://www.youtube.com/@sbtx-lectures'],
  ['Use a sample podcast', () => `${window.location.origin}/samples/podcast.xml`],
] as const
const POLL_MS = 5_000

const isAnyListing = (pages: readonly { items: Source[] }[] = []): boolean =>
  pages.some(({ items }) => items.some(({ status }) => status === 'listing'))

/** The playlists, channels and podcasts of the account, and a field for another one. */
export function SourcesPage() {
  const { url } = useSearch({ from: '/members/sources' })
  const pages = useInfiniteQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ pageParam }) => subtext.sources.list({ limit: 50 }).page(pageParam),
    ...CURSOR_PAGES,
    refetchInterval: ({ state }) => (isAnyListing(state.data?.pages) && !state.error ? POLL_MS : false),
  })
  return (
    <>
      <PageHeader
        title="Sources"
        description="List the videos of a playlist, a channel or a podcast, see which ones you have processed, and process the rest."
      />
      <AskForm key={url} initialUrl={url} />
      <section aria-label="Your sources" className="mt-8">
        <QueryView query={pages}>
          {({ pages: loaded }) => {
            const sources = loaded.flatMap(({ items }) => items)
            if (sources.length === 0) {
              return (
                <EmptyState title="No sources yet">
                  Paste the URL of a playlist, a channel or a podcast feed above.
                </EmptyState>
              )
            }
            return (
              <>
                <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
                  {sources.map((source) => (
                    <SourceRow key={source.source_id} source={source} />
                  ))}
                </ul>
                <LoadMore pages={pages} />
              </>
            )
          }}
        </QueryView>
      </section>
    </>
  )
}

function AskForm({ initialUrl = '' }: { initialUrl?: string }) {
  const id = useId()
  const [url, setUrl] = useState(initialUrl)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const request = useIdempotencyKey()
  const ask = useMutation({
    mutationFn: () => subtext.sources.ask(url.trim(), { idempotencyKey: request.keyFor(url) }),
    async onSuccess(source) {
      request.done()
      queries.setQueryData(sourceQuery(source.source_id).queryKey, source)
      await queries.invalidateQueries({ queryKey: SOURCES_KEY, refetchType: 'none' })
      await navigate({ to: '/sources/$sourceId', params: { sourceId: source.source_id } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <form
      onSubmit={onSubmit}
      className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-4 shadow-sm sm:p-5"
    >
      <label htmlFor={id} className="text-sm font-medium">
        Playlist, channel or podcast
      </label>
      <div className="flex flex-col gap-2 sm:flex-row">
        <input
          id={id}
          type="text"
          inputMode="url"
          autoComplete="off"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          aria-invalid={ask.isError || undefined}
          placeholder="https://www.youtube.com/@handle"
          className={cx(CONTROL, 'h-11 grow px-3 !text-base')}
        />
        <Button type="submit" variant="primary" className="!h-11 !px-5" busy={ask.isPending}>
          List videos
        </Button>
      </div>
      {ask.error ? (
        <ErrorNotice error={ask.error} />
      ) : (
        <p className="text-sm text-muted">
          A URL, a playlist ID, an @handle, or the URL of a podcast feed.{' '}
          {SAMPLES.map(([name, sample]) => (
            <button
              key={name}
              type="button"
              onClick={() => setUrl(sample())}
              className="mr-3 text-accent underline-offset-4 hover:underline"
            >
              {name}
            </button>
          ))}
        </p>
      )}
    </form>
  )
}

/** Describes how many videos a source has, or why it has none. */
export function describeSource({ status, kind, videos_total = 0, truncated, coverage, error }: Source): string {
  if (status === 'listing') return `Its ${kind === 'podcast' ? 'episodes' : 'videos'} are being listed`
  if (status === 'failed') return error?.message ?? 'It could not be listed.'
  const more = truncated ? ' and more' : ''
  if (!coverage) return `${formatCount(videos_total, 'video')}${more}`
  return `${formatCount(coverage.episodes, 'episode')}${more}, ${coverage.with_transcript} of them with a transcript`
}

function SourceRow({ source }: { source: Source }) {
  const { source_id, title, url, kind, status, listed_at } = source
  return (
    <li>
      <Link
        to="/sources/$sourceId"
        params={{ sourceId: source_id }}
        className="flex flex-col gap-1.5 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-medium wrap-anywhere">{title ?? formatUrl(url)}</span>
          {status === 'ready' ? (
            <span className="shrink-0 text-xs text-muted first-letter:uppercase">{kind}</span>
          ) : (
            <StatusBadge status={status} />
          )}
        </span>
        <span className="flex justify-between gap-4 text-xs text-muted">
          {describeSource(source)}
          {listed_at && (
            <span className="shrink-0">
              listed <time dateTime={listed_at}>{formatRelative(listed_at)}</time>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
