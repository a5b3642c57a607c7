import Plus from 'virtual:icons/plus'
import type { Subscription } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { subscriptionsQuery } from '../../api/subscriptions.ts'
import { formatRelative, formatUrl } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { describeAction, describeDelivery, describeFilter, describeWords } from './describe.ts'
import { CreateFeed, FeedList } from './feeds.tsx'
import { NotInPlan, useSubscriptionsIncluded } from './in-plan.tsx'
import { RunActions } from './subscription-actions.tsx'
import { FollowForm } from './subscription-form.tsx'

const POLL_MS = 5_000

/** The playlists and channels that are followed, and the feeds of the account. */
export function SubscriptionsPage() {
  const isIncluded = useSubscriptionsIncluded()
  const subscriptions = useQuery({
    ...subscriptionsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(({ last_checked_at, status }) => !last_checked_at && status === 'active') && !state.error
        ? POLL_MS
        : false,
  })
  return (
    <>
      <PageHeader
        title="Subscriptions"
        description="Playlists, channels and podcasts whose new videos are processed or reported as soon as they appear."
        actions={isIncluded && <NewSubscription />}
      />
      <div className="flex flex-col gap-10">
        {isIncluded === false && <NotInPlan />}
        <section aria-label="Your subscriptions">
          <QueryView query={subscriptions}>
            {(list) =>
              list.length > 0 ? (
                <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
                  {list.map((subscription) => (
                    <SubscriptionRow key={subscription.subscription_id} subscription={subscription} />
                  ))}
                </ul>
              ) : (
                isIncluded && (
                  <EmptyState title="No subscriptions yet">
                    Follow a playlist or a channel, and its new videos come to you.{' '}
                    <a href="/api/v1/docs/guides/subscriptions" className="text-accent underline underline-offset-4">
                      How subscriptions work
                    </a>
                  </EmptyState>
                )
              )
            }
          </QueryView>
        </section>
        {isIncluded && <Feeds />}
      </div>
    </>
  )
}

const NewSubscription = () => (
  <Dialog
    title="Follow a playlist or a channel"
    trigger={
      <Button variant="primary">
        <Plus className="size-4" aria-hidden="true" />
        New subscription
      </Button>
    }
  >
    <FollowForm />
  </Dialog>
)

/** Describes when a source was looked at, or why it is not. */
export function describeRun({ status, reason, last_checked_at }: Subscription): string {
  if (status === 'paused')
    return reason === 'plan' ? 'Your plan did not include it' : 'Handles what it missed when resumed'
  return last_checked_at ? `Checked ${formatRelative(last_checked_at)}` : 'Being checked for the first time'
}

function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { subscription_id, source_title, source_url, status } = subscription
  const id = useId()
  const words = describeWords(subscription)
  const rules = [
    ...describeFilter(subscription),
    ...(words === '' ? [] : [`watches for ${words}`]),
    ...describeDelivery(subscription),
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            id={id}
            to="/subscriptions/$subscriptionId"
            params={{ subscriptionId: subscription_id }}
            className="font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {source_title ?? formatUrl(source_url)}
          </Link>
          <StatusBadge status={status} />
        </span>
        <span className="text-sm wrap-anywhere text-muted">
          <Facts facts={[describeAction(subscription), ...rules]} />
        </span>
        <span className="text-xs text-muted">{describeRun(subscription)}</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <RunActions subscription={subscription} describedBy={id} />
      </div>
    </li>
  )
}

function Feeds() {
  return (
    <section aria-labelledby="feeds" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
          <h2 id="feeds" className="text-lg font-semibold tracking-tight">
            Feeds
          </h2>
          <p className="text-sm text-muted">
            All your videos in a feed reader. The pages of subscriptions and sources have feeds of their own.
          </p>
        </div>
        <CreateFeed subject={{ all: true }} />
      </div>
      <FeedList />
    </section>
  )
}
