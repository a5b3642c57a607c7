import type { Subscription, SubscriptionItem, SubscriptionItemState, SubscriptionMatchMoment } from '@subtext/sdk'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { subscriptionItemsKey } from '../../api/subscriptions.ts'
import { formatDay, formatMoment, formatTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { listChoices, nameStatus } from '../../vocabulary.ts'
import { explainItem } from './describe.ts'
import { useSubscriptionsIncluded } from './in-plan.tsx'

const STATES = listChoices<SubscriptionItemState>(['processed', 'notified', 'waiting', 'skipped', 'failed'], nameStatus)
const POLL_MS = 3_000

/** Whether something is being done about a video right now. */
const isUnderWay = ({ state, reason }: SubscriptionItem): boolean =>
  state === 'waiting' && (reason === 'queued' || reason === 'requested' || reason === 'processing')

/** What became of each video, and why. */
export function Items({ subscription }: { subscription: Subscription }) {
  const { subscription_id: id, status, last_checked_at } = subscription
  const [state, setState] = useState<SubscriptionItemState | ''>('')
  const isIncluded = useSubscriptionsIncluded()
  const pages = useInfiniteQuery({
    // The first check brings the first items.
    queryKey: [...subscriptionItemsKey(id), state, last_checked_at === undefined],
    queryFn: ({ pageParam }) =>
      subtext.subscriptions.items(id, { state: state || undefined, limit: 50 }).page(pageParam),
    ...CURSOR_PAGES,
    refetchInterval: ({ state: { data, error } }) =>
      status === 'active' && !error && data?.pages.some(({ items }) => items.some(isUnderWay)) ? POLL_MS : false,
  })
  const canRetry = status === 'active' && isIncluded === true
  return (
    <>
      <div className="mb-4 flex justify-end">
        <Select label="State" options={STATES} value={state} onChange={setState} />
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const items = loaded.flatMap((page) => page.items)
          if (items.length === 0) return <NoItems isFiltered={state !== ''} isChecked={last_checked_at !== undefined} />
          return (
            <>
              <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
                {items.map((item) => (
                  <ItemRow key={item.video_id} subscriptionId={id} item={item} canRetry={canRetry} />
                ))}
              </ul>
              <LoadMore pages={pages} />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function NoItems({ isFiltered, isChecked }: { isFiltered: boolean; isChecked: boolean }) {
  if (isFiltered) return <EmptyState title="No video is in this state">Try another one.</EmptyState>
  if (isChecked) return <EmptyState title="No videos yet">New ones appear here, with what became of them.</EmptyState>
  return (
    <EmptyState title="Looking at the source for the first time">
      <span role="status">A few seconds for most sources, a minute for thousands of videos.</span>
    </EmptyState>
  )
}

const RETRIES: Partial<Record<SubscriptionItemState, string>> = {
  failed: 'Try again',
  waiting: 'Try now',
  skipped: 'Take it anyway',
}

interface ItemRowProps {
  subscriptionId: string
  item: SubscriptionItem
  canRetry: boolean
}

function ItemRow({ subscriptionId, item, canRetry }: ItemRowProps) {
  const { title, video_id, type, state, published_at, next_try_at, matches = [] } = item
  const id = useId()
  const facts = [
    ...(published_at ? [formatDay(published_at)] : []),
    ...(type === 'short' ? ['Short'] : type === 'live' ? ['Stream'] : []),
  ]
  const why = explainItem(item)
  const retry = RETRIES[state]
  return (
    <li className="flex flex-col gap-2 px-4 py-3.5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <span id={id} dir="auto" className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere">
          <Title item={item} title={title || video_id} />
        </span>
        <StatusBadge status={state} />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56 text-sm text-muted">
          {why && (
            <p>
              {why}
              {next_try_at && !isUnderWay(item) && ` Next try: ${formatMoment(next_try_at)}.`}
            </p>
          )}
          {facts.length > 0 && (
            <p className="mt-0.5 text-xs">
              <Facts facts={facts} />
            </p>
          )}
        </div>
        {canRetry && retry && !isUnderWay(item) && (
          <RetryButton subscriptionId={subscriptionId} videoId={video_id} label={retry} describedBy={id} />
        )}
      </div>
      {matches.length > 0 && <Matches item={item} matches={matches} labelledBy={id} />}
    </li>
  )
}

/** The title, which leads to the job if there is one, and to the video otherwise. */
function Title({ item: { job_id, video_url }, title }: { item: SubscriptionItem; title: string }) {
  const look = 'underline-offset-4 hover:underline'
  if (job_id) {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} className={look}>
        {title}
      </Link>
    )
  }
  return (
    <a href={video_url} rel="noreferrer" className={look}>
      {title}
    </a>
  )
}

interface MatchesProps {
  item: SubscriptionItem
  matches: readonly SubscriptionMatchMoment[]
  labelledBy: string
}

const MOMENT = 'flex gap-3 px-3 py-2 text-sm leading-relaxed hover:bg-accent-soft focus-visible:-outline-offset-2'

/** The moments at which a word was said: they open the job at the line. */
function Matches({ item: { job_id }, matches, labelledBy }: MatchesProps) {
  return (
    <ul aria-labelledby={labelledBy} className="overflow-hidden rounded-lg bg-sunken">
      {matches.map(({ start, url, text }) => {
        const moment = (
          <>
            <span className="w-12 shrink-0 pt-px text-end text-xs text-muted tabular-nums">{formatTime(start)}</span>
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {text}
            </span>
          </>
        )
        return (
          <li key={start}>
            {job_id ? (
              <Link to="/jobs/$jobId" params={{ jobId: job_id }} hash={`t=${start}`} className={MOMENT}>
                {moment}
              </Link>
            ) : (
              <a href={url} rel="noreferrer" className={MOMENT}>
                {moment}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface RetryButtonProps {
  subscriptionId: string
  videoId: string
  label: string
  describedBy: string
}

function RetryButton({ subscriptionId, videoId, label, describedBy }: RetryButtonProps) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => subtext.subscriptions.retry(subscriptionId, videoId),
    onSuccess: () => queries.invalidateQueries({ queryKey: subscriptionItemsKey(subscriptionId) }),
  })
  return (
    <>
      <ErrorNotice error={retry.error} />
      <Button busy={retry.isPending} aria-describedby={describedBy} onClick={() => retry.mutate()}>
        {label}
      </Button>
    </>
  )
}
