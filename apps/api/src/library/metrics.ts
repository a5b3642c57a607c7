import { LIBRARY_SEARCH_KINDS, ServiceError } from '@subtext/contracts'
import type { Metrics } from '@subtext/runtime'

const SEARCHES = [...LIBRARY_SEARCH_KINDS, 'chat', 'mentions'] as const
const OUTCOMES = ['found', 'nothing', 'refused', 'cancelled', 'failed'] as const

/** Creates the metrics of searches in libraries. */
export function createLibraryMetrics(metrics: Metrics) {
  const searches = metrics.counter('subtext_library_searches_total', 'Searches in libraries, and what came of them.', {
    kind: SEARCHES,
    outcome: OUTCOMES,
  })
  const seconds = metrics.duration(
    'subtext_library_search_seconds',
    'Time of a search in a library, including the wait for others.',
    { kind: SEARCHES },
  )
  /** Counts a search and its time. `isFound`: whether its result has anything. */
  return async <T>(
    kind: (typeof SEARCHES)[number],
    signal: AbortSignal,
    search: () => Promise<T>,
    isFound: (result: T) => boolean,
  ): Promise<T> => {
    const start = performance.now()
    try {
      const result = await search()
      seconds({ kind }, (performance.now() - start) / 1_000)
      searches({ kind, outcome: isFound(result) ? 'found' : 'nothing' })
      return result
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.status < 500
      searches({ kind, outcome: isRefused ? 'refused' : signal.aborted ? 'cancelled' : 'failed' })
      throw error
    }
  }
}
