import { randomUUID } from 'node:crypto'
import {
  claimSource,
  completeListing,
  failSource,
  leadToChannel,
  type SourceError,
  type StoredListedVideo,
} from '@subtext/core/sources'
import supertest from 'supertest'
import type { TestApi } from './api.ts'

/** What a source turns out to be. A channel ID is what a name leads to. */
export type Found =
  | { title?: string; videos: Partial<StoredListedVideo>[]; truncated?: boolean; withTranscript?: number }
  | SourceError
  | string

const LEASE_SECONDS = 60
const IDS = 'v0000000000'

/** Returns the ID of the nth video of test lists. */
export const listedId = (nth: number): string => IDS.slice(0, -String(nth).length) + nth

let lists = 0
export const newTestList = (): string => `PLtest${String(++lists).padStart(8, '0')}`
export const newTestChannel = (): string => `UCtest${String(++lists).padStart(18, '0')}`
export const severalVideos = (count: number): object[] => Array.from({ length: count }, () => ({}))

const toStored = (video: Partial<StoredListedVideo>, index: number): StoredListedVideo => ({
  videoId: listedId(index + 1),
  title: `Video ${index + 1}`,
  type: 'video',
  durationSeconds: 60 * (index + 1),
  publishedAt: null,
  isApproximate: false,
  reason: null,
  ...video,
})

/** Creates what asks for sources, and what lists them in place of a worker. */
export function useTestSources(api: TestApi) {
  const send = (key: string, method: 'get' | 'post' | 'delete', path: string) =>
    supertest(api.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${key}`)

  /** Works on a source that is due, which turns out to be `found`. Returns whether there was one. */
  async function work(found: Found, isName = false): Promise<boolean> {
    const { db, clock } = api.context
    const claimed = await claimSource(db, { token: randomUUID(), leaseSeconds: LEASE_SECONDS, isName })
    if (!claimed) return false
    const now = clock()
    if (typeof found === 'string') await leadToChannel(db, claimed, found, { now, freshAfter: now })
    else if ('code' in found) await failSource(db, claimed, found)
    else {
      const { title = 'A list', truncated = false, withTranscript } = found
      const videos = found.videos.map(toStored)
      await completeListing(db, claimed, { title, truncated, videos, withTranscript }, now)
    }
    return true
  }
  const ask = (key: string, url: string, more: object = {}) => send(key, 'post', '/sources').send({ url, ...more })
  return {
    send,
    work,
    ask,
    /** Asks for a source and lists it. Returns its ID. */
    async list(key: string, url: string, found: Found): Promise<string> {
      const { body } = await ask(key, url)
      const id: string = body.data.source_id
      // Others may have been waiting for longer.
      await api.context.db.query(
        `UPDATE sources SET due_at = due_at - interval '1 hour' WHERE id = (SELECT source_id FROM account_sources WHERE id = $1)`,
        [id],
      )
      await work(found)
      return id
    },
  }
}
