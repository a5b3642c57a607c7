import { randomUUID } from 'node:crypto'
import type { Cue, LibraryPassage, LibrarySearchResult, VideoInfo } from '@subtext/contracts'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import type { TestApi } from './api.ts'
import { acceptTestJob, completeTestJob } from './jobs.ts'

interface Said {
  language?: string
  info?: Partial<VideoInfo>
  videoId?: string
}

export const newVideoId = (): string => randomUUID().replaceAll('-', '').slice(0, 11)

/** Returns the words that a passage highlights. */
export const highlightedIn = ({ text, highlights }: LibraryPassage): string[] =>
  highlights.map(([from, to]) => text.slice(from, to))

/** Creates what processes and searches videos. */
export function useTestLibrary(api: TestApi) {
  const get = (key: string, path: 'search' | 'mentions', query: Record<string, unknown>) =>
    supertest(api.app).get(`/api/v1/library/${path}`).query(query).set('Authorization', `Bearer ${key}`)

  async function search(key: string, q: string, query: Record<string, unknown> = {}): Promise<LibrarySearchResult> {
    const { status, body } = await get(key, 'search', { q, ...query })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data
  }
  return {
    get,
    search,
    /** Returns the IDs of the jobs that are found. */
    find: async (key: string, q: string, query: Record<string, unknown> = {}): Promise<string[]> =>
      (await search(key, q, query)).hits.map(({ job_id }) => job_id),
    /** Processes a video in which this is said, a second each. Returns the ID of its job. */
    async say(key: string, said: readonly (Cue | string)[], { language, info, videoId = newVideoId() }: Said = {}) {
      const jobId = await acceptTestJob(api.context, key, { id: newId(), videoId })
      const cues = said.map((cue, nth) =>
        typeof cue === 'string' ? { startMs: nth * 1_000, durationMs: 900, text: cue } : cue,
      )
      await completeTestJob(api.context, jobId, { cues, language, info })
      return jobId
    },
  }
}
