import type { Source } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

const WAIT_SECONDS = 25

/** How the lists of sources and of their videos begin. */
export const SOURCES_KEY = ['sources']
export const sourceVideosKey = (sourceId: string): string[] => ['source videos', sourceId]

/** A source. While it is being listed, each reading waits for the end of that. */
export const sourceQuery = (sourceId: string) =>
  queryOptions({
    queryKey: ['source', sourceId],
    queryFn: async ({ signal, client, queryKey }) => {
      const known = client.getQueryData<Source>(queryKey)
      const wait = known?.status === 'listing' ? WAIT_SECONDS : undefined
      return subtext.sources.get(sourceId, { wait, signal })
    },
    refetchInterval: ({ state }) => (state.data?.status === 'listing' && !state.error ? 500 : false),
  })
