import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callAccount, subtext } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'

interface Account {
  plan: string
}

function LatestJobs() {
  const { data: account } = useQuery({
    queryKey: ['account'],
    queryFn: () => callAccount<Account>('GET', ''),
  })
  const { data: jobs } = useQuery({
    queryKey: ['jobs', 'latest'],
    queryFn: () => subtext.videos.list({ limit: 5 }).firstPage(),
  })
  return (
    <section className="flex flex-col gap-4">
      <h1 className="text-2xl font-semibold tracking-tight">Process a video</h1>
      <p className="text-sm text-muted">Plan: {account?.plan}</p>
      <ul>
        {jobs?.items.map((job) => (
          <li key={job.job_id}>{job.video_title ?? job.video_url}</li>
        ))}
      </ul>
    </section>
  )
}

function Welcome() {
  return (
    <section className="mx-auto flex max-w-2xl flex-col gap-5 py-16">
      <h1 className="text-4xl font-semibold tracking-tight text-balance">
        Public videos as text you can quote, search and check.
      </h1>
      <p className="text-lg text-muted">
        Subtext reads the captions a video already has, cleans them up, and writes summaries in which every claim is
        linked to the moment where it is said.
      </p>
      <p className="flex gap-3">
        <Link to="/sign-in" className="rounded-lg bg-accent px-4 py-2 font-medium text-accent-ink">
          Sign in
        </Link>
        <a href="/docs" className="rounded-lg border border-line bg-surface px-4 py-2 font-medium">
          Read the documentation
        </a>
      </p>
    </section>
  )
}

export function HomePage() {
  const { data: session } = useQuery(sessionQuery)
  return session ? <LatestJobs /> : <Welcome />
}
