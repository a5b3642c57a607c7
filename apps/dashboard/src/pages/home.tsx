import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { latestJobsQuery } from '../api/job-lists.ts'
import { sessionQuery } from '../api/session.ts'
import { JobListView } from '../ui/job-list.tsx'
import { EmptyState, PageHeader } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ImportFiles } from './import-files.tsx'
import { SubmitForm } from './submit-form.tsx'
import { Welcome } from './welcome.tsx'

const LATEST = 8

export function HomePage() {
  const { data: session } = useQuery(sessionQuery)
  if (session === undefined) return null
  return session ? <SignedInHome /> : <Welcome />
}

function SignedInHome() {
  const jobs = useQuery(latestJobsQuery(LATEST))
  // The video to process again.
  const { url } = useSearch({ from: '/' })
  return (
    <>
      <PageHeader title="Process a video" description="Paste the URL of a public video that has captions." />
      <SubmitForm key={url} initialUrl={url} />
      <ImportFiles />
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
              <EmptyState title="Nothing here yet">Your first summary takes a few seconds.</EmptyState>
            )
          }
        </QueryView>
      </section>
    </>
  )
}
