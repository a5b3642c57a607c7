import type { Context } from '@subtext/core/context'
import type { LibraryCandidate } from '@subtext/core/library'
import { readAllCues, UnreadableTranscriptError } from '@subtext/core/transcripts'
import { type FoldedTranscript, foldTranscript, measureTranscript, type TextFolder } from '@subtext/search'
import { LRUCache } from 'lru-cache'

/** About a hundred hours of speech. */
const MAX_CACHED_BYTES = 32 * 1024 ** 2
/** Larger ones would take the place of many. */
const MAX_CACHED_TRANSCRIPT = 4 * 1024 ** 2

/** Returns the transcript of a candidate, folded. Null if it cannot be read, because its job has just been deleted. */
export type ReadTranscript = (
  candidate: LibraryCandidate,
  folder: TextFolder,
  pace: () => Promise<void>,
) => Promise<FoldedTranscript | null>

/** Creates the reader of transcripts, which keeps those that were read last, because the next page needs them again. */
export function createTranscriptReader(
  { db, log }: Pick<Context, 'db' | 'log'>,
  maxBytes = MAX_CACHED_BYTES,
): ReadTranscript {
  const cache = new LRUCache<string, FoldedTranscript>({
    maxSize: maxBytes,
    maxEntrySize: Math.min(maxBytes, MAX_CACHED_TRANSCRIPT),
    sizeCalculation: (transcript) => Math.ceil(measureTranscript(transcript)) + 1,
  })
  return async ({ jobId, transcriptId, cueCount, language }, folder, pace) => {
    const key = `${transcriptId} ${cueCount}`
    const cached = cache.get(key)
    if (cached) return cached
    const cues = await readAllCues(db, transcriptId, cueCount).catch((error: unknown) => {
      // Errors of the database are not about this transcript: without it, the result would be wrong.
      if (!(error instanceof UnreadableTranscriptError)) throw error
      log.warn('transcript not searched', { job_id: jobId, error: error.message })
      return null
    })
    if (!cues) return null
    const transcript = await foldTranscript(cues, language, pace, folder)
    cache.set(key, transcript)
    return transcript
  }
}
