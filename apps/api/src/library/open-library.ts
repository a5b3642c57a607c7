import type { LibrarySource } from '@subtext/chat'
import type { LibraryScope, LibrarySearchResult, MentionCounts, Warning } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import { type LibraryFilter, listLibraryLanguages, listScopedJobs } from '@subtext/core/library'
import { getSource } from '@subtext/core/sources'
import { createTextFolder, type TextFolder } from '@subtext/search'
import { createPacer } from '@subtext/summarize'
import { LRUCache } from 'lru-cache'
import type { ApiMetrics } from '../metrics.ts'
import { countMentions, type MentionQuery } from './count-mentions.ts'
import { findPassages } from './find-passages.ts'
import type { SearchTools } from './rank-candidates.ts'
import { createTranscriptReader } from './read-transcripts.ts'
import { type LibrarySearch, searchLibrary } from './search-library.ts'
import { createSearchTurns } from './search-turns.ts'

/** How long the work on a search may keep the event loop busy: all other requests to the process wait for it. */
const SLICE_MS = 2
/** Searches that hold transcripts in memory at the same time, in this process. */
const MAX_SEARCHES = 4
/** Counting may take seconds, and must not keep searches waiting. */
const MAX_COUNTS = 2
/** Languages whose folders are kept, with the words that they know: a transcript is folded in a third of the time then. */
const MAX_FOLDERS = 4

/** Searches in what the videos of an account say. */
export interface LibraryReader {
  search(userId: string, query: LibrarySearch, signal: AbortSignal): Promise<LibrarySearchResult>
  /** Returns what is in a scope, for questions about it. Error: `NOT_FOUND` for a source that the account does not have any more. */
  openScope(userId: string, scope: LibraryScope, signal: AbortSignal): Promise<Omit<LibrarySource, 'key'>>
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
  const folders = new LRUCache<string, TextFolder>({ max: MAX_FOLDERS, memoMethod: createTextFolder })
  const searches = createSearchTurns(MAX_SEARCHES)
  const counts = createSearchTurns(MAX_COUNTS)
  const toolsFor = (signal: AbortSignal): SearchTools => ({
    db: ctx.db,
    readTranscript,
    folderOf: (language) => folders.memo(language),
    pace: createPacer(signal, SLICE_MS),
  })
  return {
    search: (userId, query, signal) =>
      observeSearch(
        query.kind,
        signal,
        () => searches(userId, signal, () => searchLibrary(toolsFor(signal), userId, query)),
        ({ hits }) => hits.length > 0,
      ),
    async openScope(userId, scope, signal) {
      const filter = await selectScope(ctx.db, userId, scope)
      return {
        languages: filter.languages,
        findPassages: (request) =>
          observeSearch(
            'chat',
            signal,
            () => searches(userId, signal, () => findPassages(toolsFor(signal), filter, request)),
            (passages) => passages.length > 0,
          ),
      }
    },
    countMentions: (userId, query, signal) =>
      observeSearch(
        'mentions',
        signal,
        () => counts(userId, signal, () => countMentions(toolsFor(signal), userId, query)),
        ({ data }) => data.total > 0,
      ),
  }
}

/** Returns which videos are searched. Those that are not completed are not. */
async function selectScope(db: Context['db'], userId: string, scope: LibraryScope): Promise<LibraryFilter> {
  const jobIds =
    'batch_id' in scope
      ? await listScopedJobs(db, userId, { batchId: scope.batch_id })
      : 'job_ids' in scope
        ? await listScopedJobs(db, userId, { jobIds: scope.job_ids })
        : undefined
  const source = 'source_id' in scope ? await getSource({ db }, { userId }, scope.source_id) : null
  return { userId, jobIds, sourceId: source?.sourceId, languages: await listLibraryLanguages(db, userId, jobIds) }
}
