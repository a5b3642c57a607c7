import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { subtext } from '../api/client.ts'
import { latestJobsQuery } from '../api/jobs.ts'
import { sessionQuery } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { JobListView } from '../ui/job-list.tsx'
import { EmptyState, PageHeader } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Welcome } from './welcome.tsx'

const SAMPLE = 'https://www.youtube.com/watch?v=sbtx-en-map'
const LATEST = 8

export function HomePage() {
  const { data: session } = useQuery(sessionQuery)
  if (session === undefined) return null
  return session ? <SignedInHome /> : <Welcome />
}

function SignedInHome() {
  const jobs = useQuery(latestJobsQuery(LATEST))
  return (
    <>
      <PageHeader title="Process a video" description="Paste the URL of a public video that has captions." />
      <SubmitForm />
      <section aria-labelledby="latest" className="mt-10 flex flex-col gap-3">
        <div className="flex items-baseline justify-between">
          <h2 id="latest" className="text-lg font-semibold tracking-tight">
            Latest jobs
          </h2>
          <Link to="/jobs" className="text-sm text-accent underline-offset-4 hover:underline">
            All jobs
          </Link>
        </div>
        <QueryView query={jobs}>
          {({ items }) =>
            items.length > 0 ? (
              <JobListView jobs={items} />
            ) : (
              <EmptyState title="Nothing here yet">
                The first summary takes a few seconds. Without a video at hand, try the sample above.
              </EmptyState>
            )
          }
        </QueryView>
      </section>
    </>
  )
}

function SubmitForm() {
  const [url, setUrl] = useState('')
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const submit = useMutation({
    mutationFn: (videoUrl: string) => subtext.videos.submit({ url: videoUrl }),
    async onSuccess({ job_id }) {
      await queries.invalidateQueries({ queryKey: ['jobs'] })
      await navigate({ to: '/jobs/$jobId', params: { jobId: job_id } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate(url.trim())
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-4 shadow-sm">
      <label htmlFor={id} className="text-sm font-medium">
        Video URL
      </label>
      <div className="flex flex-col gap-2 sm:flex-row">
        <input
          id={id}
          type="url"
          inputMode="url"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          aria-invalid={submit.isError || undefined}
          aria-describedby={`${id}-note`}
          placeholder="https://www.youtube.com/watch?v=…"
          className="h-11 grow rounded-lg border border-line bg-canvas px-3 placeholder:text-muted aria-invalid:border-danger"
        />
        <Button type="submit" variant="primary" className="!h-11 !px-5" busy={submit.isPending}>
          Process video
        </Button>
      </div>
      <p
        id={`${id}-note`}
        role={submit.isError ? 'alert' : undefined}
        className={submit.isError ? 'text-sm text-danger' : 'text-sm text-muted'}
      >
        {submit.error?.message ?? (
          <>
            No video at hand?{' '}
            <button
              type="button"
              onClick={() => setUrl(SAMPLE)}
              className="text-accent underline-offset-4 hover:underline"
            >
              Use a sample
            </button>
          </>
        )}
      </p>
    </form>
  )
}
