import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { EmptyState } from '../../ui/page.tsx'

/** Returns whether the plan of the account includes subscriptions and feeds; undefined until that is known. */
export const useSubscriptionsIncluded = (): boolean | undefined =>
  useQuery(accountQuery).data?.features.includes('subscriptions')

/** Says what subscriptions are, and which plan includes them. */
export const NotInPlan = () => (
  <EmptyState title={`Subscriptions are part of the ${FEATURE_PLANS.subscriptions} plan`}>
    They look at playlists and channels every hour, process each new video, tell you when your words are said, and send
    what they find by webhook, to Slack or Discord, by email, or to a feed reader. Subscriptions that you have stay
    paused until your plan includes them. Ask the operator of this installation to change your plan.
  </EmptyState>
)
