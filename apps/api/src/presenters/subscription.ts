import { API_PREFIX, type SourceCheck, type Subscription, type SubscriptionItem } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import { hasSubscriptions } from '@subtext/core/plans'
import { buildSourceError, sourceUrlOf } from '@subtext/core/sources'
import type { StoredCheck, StoredItem, StoredSubscription } from '@subtext/core/subscriptions'
import { videoUrlOf } from '@subtext/core/videos'
import { presentSourceError } from './source.ts'

export const subscriptionPath = (id: string): string => `${API_PREFIX}/subscriptions/${id}`

/**
 * `origin`: that of the installation. Without subscriptions in the plan of `owner`, it is paused from now on, also if no worker has
 * noticed yet.
 */
export function presentSubscription(
  stored: StoredSubscription,
  { origin, owner }: { origin: string; owner: Actor },
): Subscription {
  const pausedFor = stored.pausedFor ?? (hasSubscriptions(owner) ? null : 'plan')
  const { webhookUrl, webhookFormat, email, title, filter, match, maxPerDay } = stored
  const hasDelivery = webhookUrl !== null || email !== null
  return {
    subscription_id: stored.id,
    source_id: stored.accountSourceId,
    ...(title !== null && { source_title: title }),
    source_url: sourceUrlOf({ kind: stored.kind, id: stored.platformId }, origin),
    action: stored.action,
    options: stored.options,
    priority: stored.priority,
    ...(filter && { filter }),
    ...(match && { match }),
    catch_up: stored.catchUp,
    ...(maxPerDay !== null && { max_per_day: maxPerDay }),
    ...(hasDelivery && {
      deliver: {
        ...(webhookUrl !== null && { webhook_url: webhookUrl, format: webhookFormat }),
        ...(email !== null && { email }),
      },
    }),
    status: pausedFor === null ? 'active' : 'paused',
    ...(pausedFor !== null && { reason: pausedFor }),
    ...(stored.lastCheckedAt && { last_checked_at: stored.lastCheckedAt.toISOString() }),
    ...(pausedFor === null && stored.nextCheckAt && { next_check_at: stored.nextCheckAt.toISOString() }),
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  }
}

export const presentItem = (item: StoredItem): SubscriptionItem => ({
  video_id: item.videoId,
  video_url: videoUrlOf(item),
  title: item.title,
  type: item.type,
  ...(item.publishedAt && { published_at: item.publishedAt.toISOString() }),
  state: item.state,
  ...(item.reason !== null && { reason: item.reason }),
  ...(item.nextTryAt && { next_try_at: item.nextTryAt.toISOString() }),
  ...(item.jobId !== null && { job_id: item.jobId }),
  ...(item.matches && { matches: item.matches }),
  first_seen_at: item.createdAt.toISOString(),
  updated_at: item.updatedAt.toISOString(),
})

export const presentCheck = ({
  checkedAt,
  method,
  because,
  videosSeen,
  newVideos,
  error,
}: StoredCheck): SourceCheck => ({
  checked_at: checkedAt.toISOString(),
  method,
  ...(because !== null && { reason: because }),
  outcome: error ? 'failed' : 'ok',
  ...(videosSeen !== null && { videos_seen: videosSeen }),
  ...(newVideos !== null && { new_videos: newVideos }),
  ...(error && { error: presentSourceError(buildSourceError(error)) }),
})
