import type { ExtractionResult, Job, Template } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { latestJobsQuery, outdateJobLists } from '../../api/job-lists.ts'
import { resultQuery } from '../../api/jobs.ts'
import { formatTime, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Message } from '../../ui/message.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LabeledSelect } from '../../ui/select.tsx'
import { FilledForm } from './filled-form.tsx'

/** Videos to choose from. */
const LATEST = 50

/** The latest completed job of each video. */
function latestOfVideos(jobs: readonly Job[]): Job[] {
  const seen = new Set<string>()
  return jobs.filter(({ status, video_id }) => {
    if (status !== 'completed' || seen.has(video_id)) return false
    seen.add(video_id)
    return true
  })
}

interface Trial {
  jobId: string
  extraction: ExtractionResult | undefined
  warnings: string[]
}

/** Fills a saved version for one video that was processed. It uses nothing of the quota. */
export function TemplateTester({ template: { name, version } }: { template: Template }) {
  const jobs = useQuery(latestJobsQuery(LATEST))
  const completed = latestOfVideos(jobs.data?.items ?? [])
  const [chosen, setChosen] = useState<string | null>(null)
  const jobId = chosen ?? completed[0]?.job_id
  const queries = useQueryClient()
  const trial = useMutation({
    async mutationFn(sourceId: string): Promise<Trial> {
      const { job_id } = await subtext.videos.derive(sourceId, { templates: [`${name}@${version}`] })
      await outdateJobLists(queries)
      await subtext.videos.waitFor(job_id)
      const { result, warnings } = await queries.fetchQuery(resultQuery(job_id))
      return {
        jobId: job_id,
        extraction: result.extractions?.[name],
        warnings: warnings.map(({ message }) => message),
      }
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (jobId !== undefined) trial.mutate(jobId)
  }
  return (
    <section
      aria-labelledby="tester"
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-5"
    >
      <div>
        <h2 id="tester" className="font-medium">
          Try it on a video
        </h2>
        <p className="text-sm text-muted">
          {`Fills the saved version ${version} from one of your transcripts. This does not count toward your video quota.`}
        </p>
      </div>
      {completed.length === 0 ? (
        <p className="text-sm text-muted">{jobs.isPending ? 'Loading your videos…' : 'Process a video first.'}</p>
      ) : (
        <form onSubmit={onSubmit} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <LabeledSelect
              label="Video"
              options={completed.map((job) => [job.job_id, job.video_title ?? formatUrl(job.video_url)] as const)}
              value={jobId ?? ''}
              onChange={setChosen}
            />
          </div>
          <Button type="submit" variant="primary" className="!h-10" busy={trial.isPending}>
            {trial.isPending ? 'Filling…' : 'Fill template'}
          </Button>
        </form>
      )}
      <ErrorNotice error={trial.error} />
      <div aria-live="polite" className="empty:hidden">
        {trial.data && <Outcome {...trial.data} />}
      </div>
    </section>
  )
}

function Outcome({ jobId, extraction, warnings }: Trial) {
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      {warnings.map((message) => (
        <Notice key={message} tone="warning">
          <Message text={message} />
        </Notice>
      ))}
      {extraction && (
        <FilledForm
          extraction={extraction}
          showMoment={({ start, quote }) => (
            <Link
              to="/jobs/$jobId"
              params={{ jobId }}
              hash={`t=${start}`}
              title={quote}
              className="rounded-md bg-accent-soft px-1.5 py-px text-xs font-medium whitespace-nowrap text-accent tabular-nums hover:underline"
            >
              {formatTime(start)}
            </Link>
          )}
        />
      )}
      <p className="text-sm">
        <Link to="/jobs/$jobId" params={{ jobId }} className="text-accent underline-offset-4 hover:underline">
          Open the job
        </Link>
      </p>
    </div>
  )
}
