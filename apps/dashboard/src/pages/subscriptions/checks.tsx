import type { SourceCheck } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { subscriptionChecksKey } from '../../api/subscriptions.ts'
import { formatCount, formatMoment } from '../../format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { describeMethod } from './describe.ts'

const COLUMNS = [{ name: 'When' }, { name: 'How' }, { name: 'What it found' }]

function describeFound({ outcome, videos_seen = 0, new_videos = 0, error }: SourceCheck): string {
  if (outcome === 'failed') return error?.message ?? 'It failed.'
  const seen = formatCount(videos_seen, 'video')
  return new_videos === 0 ? `Nothing new among ${seen}` : `${new_videos} new among ${seen}`
}

/** When the source was looked at, how, and what was found. */
export function Checks({ subscriptionId: id }: { subscriptionId: string }) {
  const pages = useInfiniteQuery({
    queryKey: subscriptionChecksKey(id),
    queryFn: ({ pageParam }) => subtext.subscriptions.checks(id, { limit: 20 }).page(pageParam),
    ...CURSOR_PAGES,
  })
  return (
    <QueryView query={pages}>
      {({ pages: loaded }) => (
        <>
          <DataTable
            caption="Checks"
            columns={COLUMNS}
            empty="The source has not been looked at yet."
            rows={loaded
              .flatMap(({ items }) => items)
              .map((check) => ({
                key: check.checked_at,
                cells: [
                  <time key="when" dateTime={check.checked_at}>
                    {formatMoment(check.checked_at)}
                  </time>,
                  describeMethod(check),
                  <span key="found" className={check.outcome === 'failed' ? 'text-danger' : undefined}>
                    {describeFound(check)}
                  </span>,
                ],
              }))}
          />
          <LoadMore pages={pages} />
        </>
      )}
    </QueryView>
  )
}
