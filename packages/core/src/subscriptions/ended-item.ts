import type { SubscriptionItemState, SubscriptionMatchMoment } from '@subtext/contracts'

/** What is told of an item that has ended. */
export interface EndedItem {
  videoId: string
  /** Where an episode of a podcast can be heard. Null for videos of the platform. */
  videoUrl: string | null
  title: string
  state: SubscriptionItemState
  reason: string | null
  jobId?: string | null
  /** What a message to people says of the video. */
  summary?: string | null
  matches?: SubscriptionMatchMoment[] | null
}
