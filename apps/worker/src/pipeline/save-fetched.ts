import { findTogether } from '@subtext/core/jobs'
import { type Db, type FetchedVideo, isDatabaseUnavailable, saveFetchedVideos, type TranscriptHead } from '@subtext/db'

/** Longer transcripts are stored alone, so that no other job waits for them. */
const MAX_SHARED_CUES = 1_000

const saveWithOthers = findTogether({ findMany: saveFetchedVideos })

/**
 * Stores what was fetched under a lease, and releases the lease, in one statement with other videos that are ready in the same turn
 * of the event loop. If the statement is refused, each of them is stored alone. Returns null if the lease was lost.
 */
export async function saveFetched(db: Db, video: FetchedVideo): Promise<TranscriptHead | null> {
  const { transcript } = video
  const saveAlone = async (): Promise<TranscriptHead | null> => (await saveFetchedVideos(db, [video]))[0] ?? null
  if ('cues' in transcript && transcript.cues.length > MAX_SHARED_CUES) return saveAlone()
  return saveWithOthers(db, video).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error
    return saveAlone()
  })
}
