import type { BatchWithJobs } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { formatCount, formatDateTime, formatUrl } from '../../format.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { Message } from '../../ui/message.tsx'
import { BackLink, PageHeader } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { BatchDigest } from './batch-digest.tsx'
import { describeBatch } from './batches-page.tsx'

const POLL_MS = 3_000

export function BatchPage() {
  const { batchId } = useParams({ from: '/members/batches/$batchId' })
  const batch = useQuery({
    queryKey: ['batch', batchId],
    queryFn: ({ signal }) => subtext.batches.status(batchId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' && !state.error ? POLL_MS : false),
  })
  return (
    <QueryView query={batch} fallbackTitle="Batch">
      {(data) => <BatchView batch={data} />}
    </QueryView>
  )
}

function BatchView({ batch }: { batch: BatchWithJobs }) {
  return (
    <>
      <BackLink to="/batches">All batches</BackLink>
      <PageHeader
        title={batch.client_reference ?? `Batch of ${formatCount(batch.summary_stats.total, 'video')}`}
        description={`Submitted ${formatDateTime(batch.created_at)} · ${describeBatch(batch)}`}
        actions={
          <div className="flex items-center gap-3">
            <StatusBadge status={batch.status} />
            {batch.summary_stats.successful > 0 && <ExportMenu path={`/batch/export/${batch.batch_id}`} />}
          </div>
        }
      />
      {batch.status === 'processing' && <Progress value={batch.progress_percentage} label="Videos done" />}
      {batch.summary_stats.successful > 0 && batch.status !== 'processing' && <BatchDigest batch={batch} />}
      <ol className="mt-4 divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
        {batch.jobs.map((job) => (
          <li key={job.job_id}>
            <Link
              to="/jobs/$jobId"
              params={{ jobId: job.job_id }}
              className="flex items-baseline gap-4 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span className="w-6 shrink-0 text-end text-xs text-muted tabular-nums">{job.index + 1}</span>
              <span className="min-w-0 grow">
                <span dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
                  {job.video_title ?? formatUrl(job.video_url)}
                </span>
                {job.error && (
                  <span className="block text-xs text-danger">
                    <Message text={job.error.message} />
                  </span>
                )}
              </span>
              <StatusBadge status={job.status} />
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}
