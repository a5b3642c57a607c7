import type { Source } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { SOURCES_KEY, sourceQuery, sourceVideosKey } from '../../api/sources.ts'
import { formatRelative, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackLink, EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { FollowButton, SourceFeeds } from '../subscriptions/follow-button.tsx'
import { SourceVideos } from './source-videos.tsx'
import { describeSource } from './sources-page.tsx'

/** A playlist, a channel or a podcast with its videos. */
export function SourcePage() {
  const { sourceId } = useParams({ from: '/members/sources/$sourceId' })
  const source = useQuery(sourceQuery(sourceId))
  return (
    <QueryView query={source} fallbackTitle="Source">
      {(known) => (
        <>
          <BackLink to="/sources">All sources</BackLink>
          <PageHeader
            title={known.title ?? formatUrl(known.url)}
            description={<Description source={known} />}
            actions={<Actions source={known} />}
          />
          <Content source={known} />
        </>
      )}
    </QueryView>
  )
}

const Description = ({ source }: { source: Source }) => (
  <>
    {/* Why there is no list is said in its place. */}
    {source.status !== 'failed' && (
      <>
        {describeSource(source)}
        {source.listed_at && `, listed ${formatRelative(source.listed_at)}`}.{' '}
      </>
    )}
    <a href={source.url} rel="noreferrer" className="text-accent underline underline-offset-4">
      Open the {source.kind}
    </a>
  </>
)

function Actions({ source }: { source: Source }) {
  const { source_id, url } = source
  const queries = useQueryClient()
  const navigate = useNavigate()
  const refresh = useMutation({
    async mutationFn() {
      await subtext.sources.ask(url, { refresh: true })
      // Waits until the new list has taken the place of the old one.
      return subtext.sources.get(source_id, { wait: 45 })
    },
    async onSuccess(source) {
      queries.setQueryData(sourceQuery(source_id).queryKey, source)
      await queries.invalidateQueries({ queryKey: sourceVideosKey(source_id) })
    },
  })
  const forget = useMutation({
    mutationFn: () => subtext.sources.delete(source_id),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: SOURCES_KEY })
      await navigate({ to: '/sources' })
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ErrorNotice error={refresh.error ?? forget.error} />
      <FollowButton source={source} />
      <SourceFeeds sourceId={source_id} />
      <Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
        Look again
      </Button>
      <ConfirmButton
        label="Forget"
        title="Forget this source?"
        description="It leaves your list. Your jobs stay."
        busy={forget.isPending}
        onConfirm={() => forget.mutateAsync()}
      />
    </div>
  )
}

function Content({ source }: { source: Source }) {
  if (source.status === 'listing') {
    return (
      <EmptyState title={source.kind === 'podcast' ? 'Listing the episodes' : 'Listing the videos'}>
        <span role="status">A few seconds for most sources, a minute for thousands of videos.</span>
      </EmptyState>
    )
  }
  if (source.status === 'failed')
    return <EmptyState title="The list could not be read">{describeSource(source)}</EmptyState>
  return (
    <>
      {source.error && (
        <Notice tone="warning">
          It could not be listed again: {source.error.message} You see the list from before.
        </Notice>
      )}
      {source.coverage && source.coverage.episodes > 0 && source.coverage.with_transcript === 0 && (
        <Notice tone="warning">
          The feed names no transcript of any episode, so none can be processed. Import captions of your own instead.
        </Notice>
      )}
      {source.videos_total === 0 ? (
        <EmptyState title={source.kind === 'podcast' ? 'No episodes' : 'No videos'}>
          There is nothing to process yet.
        </EmptyState>
      ) : (
        <SourceVideos source={source} />
      )}
    </>
  )
}
