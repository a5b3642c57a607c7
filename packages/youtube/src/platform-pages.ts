import type { PlatformAnswer } from './session/open-session.ts'

/** Pages of the platform's website, over the same egresses as everything else. All methods throw `ServiceError`. */
export interface PlatformPages {
  /** Requests a page or a part of one. `about`: the ID of the list, which an egress is not to blame for if it is refused. */
  browse(about: string, fields: Record<string, unknown>, signal: AbortSignal): Promise<PlatformAnswer>
  /** Requests the feed of a channel. Null if it is not available, which says nothing about the egress. */
  fetchFeed(channelId: string, signal: AbortSignal): Promise<string | null>
  /** Requests where an address of the website leads. */
  resolve(url: string, signal: AbortSignal): Promise<PlatformAnswer>
}
