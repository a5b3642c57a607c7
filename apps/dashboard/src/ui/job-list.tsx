import type { Job } from '@subtext/sdk'
import { Link } from '@tanstack/react-router'
import { hasEnded, useLiveJob } from '../api/jobs.ts'
import { formatDateTime, formatMoment, formatUrl } from '../format.ts'
import { describeModes, describeRequest, describeStep } from '../vocabulary.ts'
import { Facts } from './facts.tsx'
import { Message } from './message.tsx'
import { Progress } from './progress.tsx'
import { StatusBadge } from './status-badge.tsx'

/**
 * Maximum number of jobs followed at a time. Without HTTP/2, browsers open at most six connections to a server, and each event
 * stream takes one: with more, nothing else on the page would load.
 */
const MAX_FOLLOWED = 2

interface Selection {
  selected: ReadonlySet<string>
  toggle: (jobId: string) => void
}

interface JobListViewProps {
  jobs: Job[]
  /** Lets jobs be selected. */
  selection?: Selection
}

/** Jobs as a list of links. The oldest unfinished ones are followed; when one ends, the next is followed. */
export function JobListView({ jobs, selection }: JobListViewProps) {
  const followed = jobs.filter((job) => !hasEnded(job)).slice(-MAX_FOLLOWED)
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
      {jobs.map((job) => (
        <li key={job.job_id} className="flex">
          {selection && <SelectBox job={job} {...selection} />}
          {followed.includes(job) ? <LiveRow job={job} /> : <Row job={job} />}
        </li>
      ))}
    </ul>
  )
}

/** As high as the row, so that it is easy to hit. */
function SelectBox({ job, selected, toggle }: Selection & { job: Job }) {
  return (
    <label className="flex shrink-0 cursor-pointer items-start ps-4 pe-1 pt-4 hover:bg-sunken">
      <input
        type="checkbox"
        aria-label={`Select ${titleOf(job)}`}
        checked={selected.has(job.job_id)}
        onChange={() => toggle(job.job_id)}
        className="size-4 accent-accent"
      />
    </label>
  )
}

const titleOf = ({ video_title, video_url }: Job): string => video_title ?? formatUrl(video_url)

function LiveRow({ job }: { job: Job }) {
  const { job: live } = useLiveJob(job.job_id)
  return <Row job={live.data ?? job} />
}

/** The address of a video that has a title. Imported captions without a recording only have their own page. */
function describePlace({ job_id, video_title, video_url }: Job): string {
  if (video_title === undefined) return ''
  return new URL(video_url).pathname === `/jobs/${job_id}` ? 'Imported captions' : formatUrl(video_url)
}

/** What tells a job from others, those of the same video first. */
const listFacts = (job: Job): string[] =>
  [
    hasEnded(job) ? '' : describeStep(job.current_step),
    describeModes(job),
    ...describeRequest(job),
    describePlace(job),
  ].filter((fact) => fact !== '')

function Row({ job }: { job: Job }) {
  return (
    <Link
      to="/jobs/$jobId"
      params={{ jobId: job.job_id }}
      className="flex min-w-0 grow flex-col gap-1.5 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="flex items-start justify-between gap-4">
        <span dir="auto" className="line-clamp-2 min-w-0 font-medium wrap-anywhere">
          {titleOf(job)}
        </span>
        <StatusBadge status={job.status} />
      </span>
      {job.error && (
        <span className="line-clamp-2 text-xs text-danger">
          <Message text={job.error.message} />
        </span>
      )}
      <span className="flex justify-between gap-4 text-xs text-muted">
        <span className="line-clamp-2 min-w-0 wrap-anywhere sm:line-clamp-1">
          <Facts facts={listFacts(job)} />
        </span>
        <time dateTime={job.created_at} title={formatDateTime(job.created_at)} className="shrink-0">
          {formatMoment(job.created_at)}
        </time>
      </span>
      {!hasEnded(job) && <Progress value={job.progress_percentage} label={describeStep(job.current_step)} />}
    </Link>
  )
}
