import { Link } from '@tanstack/react-router'
import { CodeExample } from './code-example.tsx'
import { Example } from './welcome-example.tsx'

const POINTS = [
  [
    'Captions, not guesses',
    'Transcripts come from the captions that a video already has, preferably those written by people: cleaned, timed, and in their own language.',
  ],
  [
    'Claims you can check',
    'Every claim in a summary is checked against the line it cites. One click plays that moment.',
  ],
  [
    'Made for your code',
    'One request in, one webhook out: SDK, command line, MCP server, batches, and an API that never does the same work twice.',
  ],
] as const

/** The page for visitors who are not signed in. */
export function Welcome() {
  return (
    <div className="flex flex-col gap-16 py-6 sm:py-12">
      <title>Subtext: videos as text you can check</title>
      <section className="grid items-center gap-12 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <div className="flex flex-col gap-6">
          <h1 className="text-4xl leading-[1.1] font-semibold tracking-tight text-balance sm:text-5xl">
            Public videos as text you can quote, search and check.
          </h1>
          <p className="max-w-xl text-lg leading-relaxed text-muted">
            Paste a URL. Subtext reads the captions, writes clean transcripts and summaries, and links every claim to
            the moment where it is said.
          </p>
          <p className="flex flex-wrap gap-3">
            <Link
              to="/sign-up"
              className="rounded-lg bg-accent px-5 py-2.5 font-medium text-accent-ink shadow-xs transition hover:brightness-110"
            >
              Create an account
            </Link>
            <Link
              to="/sign-in"
              className="rounded-lg border border-line bg-surface px-5 py-2.5 font-medium shadow-xs transition hover:bg-sunken"
            >
              Sign in
            </Link>
            <a
              href="/docs"
              className="rounded-lg px-5 py-2.5 font-medium text-accent underline-offset-4 hover:underline"
            >
              Read the docs
            </a>
          </p>
        </div>
        <Example />
      </section>
      <section aria-label="What you get" className="grid gap-8 sm:grid-cols-3">
        {POINTS.map(([title, text]) => (
          <div key={title} className="flex flex-col gap-2 border-t-2 border-accent pt-4">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-sm leading-relaxed text-muted">{text}</p>
          </div>
        ))}
      </section>
      <CodeExample />
    </div>
  )
}
