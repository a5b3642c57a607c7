import { createSemaphore } from '@subtext/runtime'

/** From these sizes on, captions and everything derived from them can take tens of megabytes. */
const LARGE_SECONDS = 4 * 3600
const LARGE_CUES = 10_000
const LARGE_CHARACTERS = 2_000_000

/** Limits a worker's memory, even when a hundred large videos are submitted at once. */
const MAX_LARGE_VIDEOS = 1
const RETRY_AFTER_SECONDS = 10

/** The size of a video, as far as it is known. */
interface VideoSize {
  seconds?: number
  cues?: number
  characters?: number
}

/** Thrown while the worker is busy with another large video. The job should be handed back: waiting would hold its slot. */
export class NoCapacityError extends Error {
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS

  constructor() {
    super('The worker is already processing a large video.')
    this.name = 'NoCapacityError'
  }
}

/** The capacity that one job may claim. */
export interface LargeVideoClaim {
  /** Claims capacity if `size` is that of a large video. Throws `NoCapacityError` when none is free. Repeating it is safe. */
  claim(size: VideoSize): void
  /** Releases the capacity, if the job has claimed any. */
  release(): void
}

/** The worker's capacity for large videos. */
export interface LargeVideos {
  open(): LargeVideoClaim
}

const isLarge = ({ seconds = 0, cues = 0, characters = 0 }: VideoSize): boolean =>
  seconds >= LARGE_SECONDS || cues >= LARGE_CUES || characters >= LARGE_CHARACTERS

export const createLargeVideos = (): LargeVideos => {
  const permits = createSemaphore(MAX_LARGE_VIDEOS)
  return {
    open() {
      let isClaimed = false
      return {
        claim(size) {
          if (isClaimed || !isLarge(size)) return
          if (!permits.tryAcquire()) throw new NoCapacityError()
          isClaimed = true
        },
        release() {
          if (isClaimed) permits.release()
          isClaimed = false
        },
      }
    },
  }
}
