import { cleanLine } from '@subtext/captions'
import type { SourceVideoReason, SourceVideoType } from '@subtext/contracts'

const MAX_TITLE_LENGTH = 300

/** Returns a title of the platform or of a feed as it is kept: on one line, without characters that hide words. */
export const cleanTitle = (title: string): string => cleanLine(title, MAX_TITLE_LENGTH)

/** What a listing has found. */
export interface Listing {
  title: string | null
  videos: ListedVideo[]
  /** Whether the source has more videos than are kept. */
  truncated: boolean
}

export type VideoType = Exclude<SourceVideoType, 'episode'>

export interface ListedVideo {
  videoId: string
  title: string
  durationSeconds: number | null
  /** ISO 8601, computed from the relative text of the platform. */
  publishedAt: string | null
  type: VideoType
  /** Null for a video that can be processed. */
  reason: SourceVideoReason | null
}

/** Why a source cannot be listed. */
export type SourceFault = 'not_found' | 'private' | 'terminated' | 'not_a_feed' | 'too_large'

/** The platform says that there is nothing to list, whoever asks. */
export class SourceGoneError extends Error {
  readonly reason: SourceFault

  constructor(reason: SourceFault) {
    super(`The source cannot be listed: ${reason}`)
    this.name = 'SourceGoneError'
    this.reason = reason
  }
}

/** The platform leads from a channel to another one. */
export class SourceMovedError extends Error {
  readonly channelId: string

  constructor(channelId: string) {
    super(`The channel has moved to ${channelId}`)
    this.name = 'SourceMovedError'
    this.channelId = channelId
  }
}

/** Maximum number of requests of a listing. */
export const MAX_LISTING_REQUESTS = 52
/** Maximum size of all answers of a listing. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024
