import type { BatchWithJobs, Digest, DigestPoint } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { formatCount, formatTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FileMenu } from '../../ui/file-menu.tsx'
import { Message } from '../../ui/message.tsx'
import { QueryView } from '../../ui/query-view.tsx'

const POLL_MS = 2_000
const FILES = [
  ['PDF', 'pdf', '.pdf'],
  ['Markdown', 'markdown', '.md'],
  ['Web page', 'html', '.html'],
] as const

const isOpen = ({ status }: Digest): boolean => status === 'queued' || status === 'processing'

/** The digest of a batch that has ended: what its videos say, by themes. */
export function BatchDigest({ batch }: { batch: BatchWithJobs }) {
  const { batch_id: batchId, digest_id: digestId } = batch
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () => subtext.digests.create(batchId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['batch', batchId] }),
  })
  return (
    <section aria-labelledby="digest" className="mt-6 rounded-2xl border border-line bg-surface p-5">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 id="digest" className="text-lg font-semibold tracking-tight">
          Digest
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <Link
            to="/ask"
            search={{ batch: batchId }}
            className="text-sm text-accent underline-offset-4 hover:underline max-sm:w-full sm:px-2"
          >
            Ask these videos
          </Link>
          {digestId !== undefined && <DigestFiles digestId={digestId} />}
          <Button busy={create.isPending} onClick={() => create.mutate()}>
            {digestId === undefined ? 'Make a digest' : 'Make it again'}
          </Button>
        </div>
      </div>
      <ErrorNotice error={create.error} />
      {digestId === undefined ? (
        <p className="mt-2 text-sm leading-relaxed text-muted">
          A digest groups what the videos say by themes, with links to the moments.
        </p>
      ) : (
        <StoredDigest digestId={digestId} />
      )}
    </section>
  )
}

const DigestFiles = ({ digestId }: { digestId: string }) => (
  <FileMenu
    label="Download digest"
    items={FILES.map(([name, format, suffix]) => ({
      name,
      suffix,
      save: `/api/v1/digests/${digestId}?format=${format}`,
    }))}
  />
)

function StoredDigest({ digestId }: { digestId: string }) {
  const digest = useQuery({
    queryKey: ['digest', digestId],
    queryFn: ({ signal }) => subtext.digests.get(digestId, { signal }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) && !state.error ? POLL_MS : false),
  })
  return <QueryView query={digest}>{(data) => <DigestView digest={data} />}</QueryView>
}

function DigestView({ digest }: { digest: Digest }) {
  const { themes, disagreements, coverage, warnings = [], error } = digest
  if (isOpen(digest)) {
    return (
      <p role="status" className="mt-2 text-sm text-muted">
        The digest is being made…
      </p>
    )
  }
  if (error) return <p className="mt-2 text-sm text-danger">{error.message}</p>
  const titles = new Map(digest.videos.map(({ job_id, video_title }) => [job_id, video_title]))
  return (
    <div className="mt-2 flex flex-col gap-5">
      <p className="text-xs text-muted">
        {coverage.points_used} of {formatCount(coverage.points, 'point')} from{' '}
        {coverage.failed > 0 && `${coverage.videos - coverage.failed} of `}
        {formatCount(coverage.videos, 'video')}
      </p>
      {warnings.map(({ code, message }) => (
        <p key={code} className="text-xs text-warning">
          <Message text={message} />
        </p>
      ))}
      {themes.map(({ title, points }) => (
        <Group key={title} title={title} points={points} titles={titles} />
      ))}
      {disagreements.length > 0 && <h3 className="text-base font-semibold">Where they differ</h3>}
      {disagreements.map(({ question, positions }) => (
        <Group key={question} title={question} points={positions} titles={titles} />
      ))}
    </div>
  )
}

interface GroupProps {
  title: string
  points: readonly DigestPoint[]
  titles: ReadonlyMap<string, string>
}

function Group({ title, points, titles }: GroupProps) {
  return (
    <div>
      <h3 dir="auto" className="font-semibold wrap-anywhere">
        {title}
      </h3>
      <ul className="mt-1.5 flex list-disc flex-col gap-1.5 ps-5 text-sm leading-relaxed">
        {points.map(({ text, citations }) => (
          <li key={`${citations[0]?.job_id} ${text}`} dir="auto" className="wrap-anywhere">
            {text}{' '}
            {citations.map(({ job_id, segment_id, start }) => (
              <Link
                key={segment_id}
                to="/jobs/$jobId"
                params={{ jobId: job_id }}
                hash={`t=${start}`}
                aria-label={`${titles.get(job_id) ?? 'Video'}, ${formatTime(start)}`}
                className="me-1 rounded-md bg-accent-soft px-1.5 py-px text-xs font-medium whitespace-nowrap text-accent tabular-nums hover:underline"
              >
                {formatTime(start)}
              </Link>
            ))}
            <span className="text-xs text-muted">
              <bdi>{titles.get(citations[0]?.job_id ?? '')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
