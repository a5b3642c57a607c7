import type { Batch } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatRelative } from '../../format.ts'
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
  return (
    <>
      <PageHeader title="Batches" description="Up to 100 videos submitted in one go." actions={<NewBatch />} />
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const batches = loaded.flatMap(({ items }) => items)
          if (batches.length === 0) {
            return (
              <EmptyState title="No batches yet">
                A batch takes a list of URLs and tells you once when all of its videos are done. It is part of the Pro
                plan.
              </EmptyState>
            )
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

/** Says how many of the videos are done, and how many of them failed. */
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
            {batch.client_reference ?? `${batch.summary_stats.total} videos`}
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
