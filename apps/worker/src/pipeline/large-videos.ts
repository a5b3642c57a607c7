import type { VideoInfo } from '@subtext/contracts'
import type { Door } from '../door.ts'

/** From here on the captions of a video, all that is made of them included, may take tens of megabytes. */
const LARGE_SECONDS = 4 * 3600

/** How many large videos a worker deals with at once, so that its memory stays bounded, whoever sends a hundred of them. */
export const LARGE_AT_ONCE = 1

/** Does the work; for a large video when its turn has come. Rejects with the signal's reason when that is aborted before. */
export async function withRoomFor<T>(
  { largeVideos }: { largeVideos: Door },
  { duration_seconds }: VideoInfo,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (duration_seconds < LARGE_SECONDS) return work()
  const leave = await largeVideos.enter(signal)
  try {
    return await work()
  } finally {
    leave()
  }
}
