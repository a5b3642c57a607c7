import type { LibrarySearchResult, MentionCounts, Warning } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import { createSemaphore } from '@subtext/runtime'
import { createPacer } from '@subtext/summarize'
import type { ApiMetrics } from '../metrics.ts'
import { countMentions, type MentionQuery } from './count-mentions.ts'
import { createTranscriptReader } from './read-transcripts.ts'
import { type LibrarySearch, type SearchTools, searchLibrary } from './search-library.ts'

/** How long the work on a search may keep the event loop busy: all other requests to the process wait for it. */
const SLICE_MS = 2
/** Searches that hold transcripts in memory at the same time, in this process. */
const MAX_SEARCHES = 4
/** Counting may take seconds, and must not keep searches waiting. */
const MAX_COUNTS = 2

/** Searches in what the videos of an account say. */
export interface LibraryReader {
  search(userId: string, query: LibrarySearch, signal: AbortSignal): Promise<LibrarySearchResult>
  countMentions(
    userId: string,
    query: MentionQuery,
    signal: AbortSignal,
  ): Promise<{ data: MentionCounts; warnings: Warning[] }>
}

/** Creates the searches of a process. */
export function openLibrary(
  ctx: Pick<Context, 'db' | 'log'> & { metrics: Pick<ApiMetrics, 'observeSearch'> },
): LibraryReader {
  const { observeSearch } = ctx.metrics
  const readTranscript = createTranscriptReader(ctx)
  const searches = createSemaphore(MAX_SEARCHES)
  const counts = createSemaphore(MAX_COUNTS)
  const toolsFor = (signal: AbortSignal): SearchTools => ({
    db: ctx.db,
    readTranscript,
    pace: createPacer(signal, SLICE_MS),
  })
  return {
    search: (userId, query, signal) =>
      observeSearch(
        query.kind,
        signal,
        () => searches.run(() => searchLibrary(toolsFor(signal), userId, query), signal),
        ({ hits }) => hits.length > 0,
      ),
    countMentions: (userId, query, signal) =>
      observeSearch(
        'mentions',
        signal,
        () => counts.run(() => countMentions(toolsFor(signal), userId, query), signal),
        ({ data }) => data.total > 0,
      ),
  }
}
