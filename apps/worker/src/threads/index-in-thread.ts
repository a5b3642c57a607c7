import { chunkCues } from '@subtext/captions'
import type { IndexTranscript } from '@subtext/core/library'
import { buildIndexTerms, foldTranscript } from '@subtext/search'
import { createPacer } from '@subtext/summarize'
import type { Threads } from './open-threads.ts'

/** About a quarter of a second of work, done in small slices. Starting a thread would not pay off for less. */
const MAX_INLINE_CHARS = 400_000

/** Lists the words by which a transcript is found, on the calling thread. */
export const indexInline: IndexTranscript = async ({ cues, language }, signal) => {
  const pace = createPacer(signal)
  return buildIndexTerms(await foldTranscript(cues, language, pace), pace)
}

/** Creates what lists the words by which a transcript is found. Long transcripts are indexed in a thread of the pool. */
export const createThreadedIndexer =
  (threads: Threads, maxInlineChars = MAX_INLINE_CHARS): IndexTranscript =>
  async ({ cues, language }, signal) => {
    const chars = cues.reduce((sum, { text }) => sum + text.length, 0)
    if (chars <= maxInlineChars) return indexInline({ cues, language }, signal)
    return threads.run('terms', { options: { language }, input: chunkCues(cues), onOutput: () => {}, signal })
  }
