import type { Batch } from '@subtext/sdk'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../../api/account.ts'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatCount, formatRelative } from '../../format.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { NewBatch } from './new-batch.tsx'

const POLL_MS = 10_000

const isAnyRunning = (pages: readonly { items: Batch[] }[] = []): boolean =>
  pages.some(({ items }) => items.some(({ status }) => status === 'processing'))

export function BatchesPage() {
  const pages = useInfiniteQuery({
    queryKey: ['batches'],
    queryFn: ({ pageParam }) => subtext.batches.list().page(pageParam),
    ...CURSOR_PAGES,
    refetchInterval: ({ state }) => (isAnyRunning(state.data?.pages) && !state.error ? POLL_MS : false),
  })
  const account = useQuery(accountQuery)
  const isIncluded = account.data?.features.includes('batches') ?? false
  return (
    <>
      <PageHeader
        title="Batches"
        description="Up to 100 videos submitted in one go."
        actions={isIncluded && <NewBatch />}
      />
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const batches = loaded.flatMap(({ items }) => items)
          if (batches.length === 0) {
            return account.data && <NoBatches areIncluded={isIncluded} />
          }
          return (
            <>
              <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
                {batches.map((batch) => (
                  <BatchRow key={batch.batch_id} batch={batch} />
                ))}
              </ul>
              <LoadMore pages={pages} />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function NoBatches({ areIncluded }: { areIncluded: boolean }) {
  return areIncluded ? (
    <EmptyState title="No batches yet">
      A batch takes a list of URLs, shows their progress, and notifies your webhook once all of them are done.{' '}
      <a href="/api/v1/docs/guides/batches" className="text-accent underline underline-offset-4">
        How batches work
      </a>
    </EmptyState>
  ) : (
    <EmptyState title={`Batches are part of the ${FEATURE_PLANS.batches} plan`}>
      They process a list of videos in one go. Ask the operator of this installation to change your plan.
    </EmptyState>
  )
}

/** Describes how many of the videos are done, and how many of them failed. */
export function describeBatch({ summary_stats: { total, successful, failed } }: Batch): string {
  return `${successful + failed} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}`
}

function BatchRow({ batch }: { batch: Batch }) {
  return (
    <li>
      <Link
        to="/batches/$batchId"
        params={{ batchId: batch.batch_id }}
        className="flex flex-col gap-1.5 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-medium wrap-anywhere">
            {batch.client_reference ?? formatCount(batch.summary_stats.total, 'video')}
          </span>
          <StatusBadge status={batch.status} />
        </span>
        <span className="flex justify-between gap-4 text-xs text-muted">
          {describeBatch(batch)}
          <time dateTime={batch.created_at}>{formatRelative(batch.created_at)}</time>
        </span>
        {batch.status === 'processing' && <Progress value={batch.progress_percentage} label="Videos done" />}
      </Link>
    </li>
  )
}
