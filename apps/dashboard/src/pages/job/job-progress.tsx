import type { Job } from '@subtext/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { jobQuery } from '../../api/jobs.ts'
import { formatRelative } from '../../format.ts'
import { BUTTON_LINK, Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Message } from '../../ui/message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { describeStep } from '../../vocabulary.ts'

/** The progress of a job, or the reason why it failed. */
export function JobProgress({ job }: { job: Job }) {
  if (job.status === 'failed') return <Failure job={job} />
  return (
    <section aria-label="Progress" className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="font-medium">{describeStep(job.current_step)}</span>
        <span className="text-muted tabular-nums">{job.progress_percentage}%</span>
      </div>
      <Progress value={job.progress_percentage} label={describeStep(job.current_step)} />
      <div className="flex items-center justify-between gap-4 text-sm text-muted">
        <span>
          {job.next_attempt_at
            ? `The next attempt is ${formatRelative(job.next_attempt_at)}.`
            : `About ${Math.max(1, Math.round(job.estimated_time_remaining))} s left. You can leave this page: the job continues.`}
        </span>
        <CancelButton jobId={job.job_id} />
      </div>
      {/* Contains only text that changes rarely, so that screen readers are not flooded. */}
      <span className="sr-only" aria-live="polite">
        {describeStep(job.current_step)}
      </span>
    </section>
  )
}

function CancelButton({ jobId }: { jobId: string }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => subtext.videos.cancel(jobId),
    onSuccess: (job) => queries.setQueryData(jobQuery(jobId).queryKey, job),
  })
  return (
    <>
      <ErrorNotice error={cancel.error} />
      <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    </>
  )
}

function Failure({ job: { error, video_url } }: { job: Job }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <Notice tone="danger">
        <Message text={error?.message ?? 'The job failed.'} />
      </Notice>
      <p className="text-sm text-muted">
        {error?.retryable ? 'It may work later. ' : 'Another attempt would fail in the same way. '}
        <a href={`/api/v1/docs/errors#${error?.code ?? ''}`} className="text-accent underline underline-offset-4">
          What {error?.code} means
        </a>
      </p>
      <p className="flex flex-wrap gap-2">
        {error?.retryable && (
          <Link to="/" search={{ url: video_url }} className={BUTTON_LINK}>
            Process it again
          </Link>
        )}
        <Link to="/" className={BUTTON_LINK}>
          Process another video
        </Link>
      </p>
    </div>
  )
}
