import type { Source } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subscriptionsQuery } from '../../api/subscriptions.ts'
import { formatUrl } from '../../format.ts'
import { BUTTON_LINK, Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateFeed, FeedList } from './feeds.tsx'
import { useSubscriptionsIncluded } from './in-plan.tsx'
import { FollowForm } from './subscription-form.tsx'

/** Follows a source, or leads to the subscription that does, or to what says which plan includes that. */
export function FollowButton({ source: { source_id, title, url } }: { source: Source }) {
  const isIncluded = useSubscriptionsIncluded()
  const { data: subscriptions } = useQuery(subscriptionsQuery)
  const own = subscriptions?.find((known) => known.source_id === source_id)
  if (own) {
    return (
      <Link
        to="/subscriptions/$subscriptionId"
        params={{ subscriptionId: own.subscription_id }}
        className={BUTTON_LINK}
      >
        Following
      </Link>
    )
  }
  if (!isIncluded) {
    return (
      <Link to="/subscriptions" className={BUTTON_LINK}>
        Follow
      </Link>
    )
  }
  return (
    <Dialog title={`Follow ${title ?? formatUrl(url)}`} trigger={<Button variant="primary">Follow</Button>}>
      <FollowForm sourceId={source_id} />
    </Dialog>
  )
}

/** Opens the feeds about what has been processed of a source. */
export function SourceFeeds({ sourceId: source_id }: { sourceId: string }) {
  if (!useSubscriptionsIncluded()) return null
  return (
    <Dialog
      title="Feeds of this source"
      description="What you have processed of it, in your feed reader."
      trigger={<Button>Feeds</Button>}
    >
      <FeedList subject={{ source_id }} />
      <CreateFeed subject={{ source_id }} />
    </Dialog>
  )
}
