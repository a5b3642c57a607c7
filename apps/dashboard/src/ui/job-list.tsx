import type { Job } from '@subtext/sdk'
import { Link } from '@tanstack/react-router'
import { hasEnded, useLiveJob } from '../api/jobs.ts'
import { formatRelative } from '../format.ts'
import { describeStep } from '../vocabulary.ts'
import { Progress } from './progress.tsx'
import { StatusBadge } from './status-badge.tsx'

/** Jobs as a list of links, with the progress of those that are not finished. */
export function JobListView({ jobs }: { jobs: Job[] }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
      {jobs.map((job) => (
        <li key={job.job_id}>{hasEnded(job) ? <Row job={job} /> : <LiveRow job={job} />}</li>
      ))}
    </ul>
  )
}

function LiveRow({ job }: { job: Job }) {
  const { job: live } = useLiveJob(job.job_id)
  return <Row job={live.data ?? job} />
}

function Row({ job }: { job: Job }) {
  return (
    <Link
      to="/jobs/$jobId"
      params={{ jobId: job.job_id }}
      className="flex flex-col gap-1.5 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate font-medium">{job.video_title ?? job.video_url}</span>
        <StatusBadge status={job.status} />
      </span>
      <span className="flex justify-between gap-4 text-xs text-muted">
        <span className="truncate">
          {job.error?.message ?? (hasEnded(job) ? job.video_url : describeStep(job.current_step))}
        </span>
        <time dateTime={job.created_at} className="shrink-0">
          {formatRelative(job.created_at)}
        </time>
      </span>
      {!hasEnded(job) && <Progress value={job.progress_percentage} label={describeStep(job.current_step)} />}
    </Link>
  )
}
