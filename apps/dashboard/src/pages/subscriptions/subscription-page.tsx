import { Tabs } from '@base-ui/react/tabs'
import type { Subscription } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { subscriptionQuery } from '../../api/subscriptions.ts'
import { formatMoment, formatUrl } from '../../format.ts'
import { Notice } from '../../ui/notice.tsx'
import { BackLink, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TAB, TAB_LIST } from '../../ui/tabs.ts'
import { Checks } from './checks.tsx'
import { describeAction, describeDelivery, describeFilter, describeWords } from './describe.ts'
import { CreateFeed, FeedList } from './feeds.tsx'
import { useSubscriptionsIncluded } from './in-plan.tsx'
import { Items } from './items.tsx'
import { SubscriptionActions } from './subscription-actions.tsx'

const FIRST_CHECK_MS = 2_000

/** A subscription: its rules, what became of each video, when the source was looked at, and its feeds. */
export function SubscriptionPage() {
  const { subscriptionId } = useParams({ from: '/members/subscriptions/$subscriptionId' })
  const subscription = useQuery({
    ...subscriptionQuery(subscriptionId),
    refetchInterval: ({ state: { data, error } }) =>
      data && !data.last_checked_at && data.status === 'active' && !error ? FIRST_CHECK_MS : false,
  })
  return (
    <QueryView query={subscription} fallbackTitle="Subscription">
      {(known) => (
        <>
          <BackLink to="/subscriptions">All subscriptions</BackLink>
          <PageHeader
            title={known.source_title ?? formatUrl(known.source_url)}
            description={<Links subscription={known} />}
            actions={<SubscriptionActions subscription={known} />}
          />
          <Pause subscription={known} />
          <Rules subscription={known} />
          <Parts subscription={known} />
        </>
      )}
    </QueryView>
  )
}

const LINK = 'text-accent underline-offset-4 hover:underline'

const Links = ({ subscription: { source_id, source_url } }: { subscription: Subscription }) => (
  <>
    <Link to="/sources/$sourceId" params={{ sourceId: source_id }} className={LINK}>
      All its videos
    </Link>
    {' · '}
    <a href={source_url} rel="noreferrer" className={LINK}>
      {formatUrl(source_url)}
    </a>
  </>
)

function Pause({ subscription: { status, reason } }: { subscription: Subscription }) {
  if (status === 'active') return null
  return (
    <div className="mb-4">
      <Notice tone="warning">
        {reason === 'plan'
          ? 'Paused, because your plan does not include subscriptions. Ask the operator of this installation to change it.'
          : 'Paused. When you resume it, it handles the videos that were published in the meantime.'}
      </Notice>
    </div>
  )
}

/** What a subscription does, as a list of its rules. */
function Rules({ subscription }: { subscription: Subscription }) {
  const { status, max_per_day, last_checked_at, next_check_at } = subscription
  const checked = last_checked_at ? formatMoment(last_checked_at) : 'Not yet'
  const next = next_check_at ? `, next ${formatMoment(next_check_at)}` : ''
  const rules: [name: string, value: string][] = [
    ['What it does', describeAction(subscription)],
    ['Which videos', describeFilter(subscription).join('; ')],
    ['Watches for', describeWords(subscription)],
    ['At most', max_per_day === undefined ? '' : `${max_per_day} per day`],
    ['Tells you by', describeDelivery(subscription).join(', ')],
    ['Checked', `${checked}${next}`],
  ]
  return (
    <dl className="mb-6 grid gap-x-6 gap-y-2.5 rounded-2xl border border-line bg-surface p-4 text-sm sm:grid-cols-[8rem_minmax(0,1fr)] sm:p-5">
      <div className="contents">
        <dt className="text-muted">State</dt>
        <dd className="max-sm:-mt-2">
          <StatusBadge status={status} />
        </dd>
      </div>
      {rules
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere max-sm:-mt-2">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Parts({ subscription }: { subscription: Subscription }) {
  const { subscription_id } = subscription
  const isIncluded = useSubscriptionsIncluded()
  return (
    <Tabs.Root defaultValue="videos">
      <Tabs.List aria-label="Parts of the subscription" className={`${TAB_LIST} mb-4`}>
        <Tabs.Tab value="videos" className={TAB}>
          Videos
        </Tabs.Tab>
        <Tabs.Tab value="checks" className={TAB}>
          Checks
        </Tabs.Tab>
        <Tabs.Tab value="feeds" className={TAB}>
          Feeds
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="videos" className="outline-offset-4">
        <Items subscription={subscription} />
      </Tabs.Panel>
      <Tabs.Panel value="checks" className="outline-offset-4">
        <Checks subscriptionId={subscription_id} />
      </Tabs.Panel>
      <Tabs.Panel value="feeds" className="flex flex-col gap-4 outline-offset-4">
        {isIncluded && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted">The videos that this subscription has processed, in your feed reader.</p>
            <CreateFeed subject={{ subscription_id }} />
          </div>
        )}
        <FeedList subject={{ subscription_id }} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}
