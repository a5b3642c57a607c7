import type {
  CursorPagination,
  Source,
  SourceList,
  SourceVideo,
  SourceVideos,
  SourceVideoType,
} from '../generated/types.ts'
import { withDeadline } from '../http/deadline.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface AskOptions extends RequestOptions {
  /** Lists it anew even if it was listed a moment ago. */
  refresh?: boolean
}

export interface SourceWaitOptions {
  signal?: AbortSignal
  /** Maximum time to wait in milliseconds. Default: unlimited. */
  timeoutMs?: number
}

export interface SourceVideosQuery {
  type?: SourceVideoType
  /** Only videos that the account has neither processed nor is processing. */
  notProcessed?: boolean
  /** Only what is newer than this video. */
  sinceVideoId?: string
  /** Videos per page, 1 to 100. Default: 100. */
  limit?: number
}

const WAIT_SECONDS = 30
/** Time for the answer to a request that waits, beyond the time that it waits. */
const ANSWER_MS = 15_000

/** Playlists, channels and podcasts. */
export class Sources {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Asks for a playlist or a channel by its address, ID or handle, and has it listed unless it was listed a moment ago. */
  ask(url: string, { refresh, ...options }: AskOptions = {}): Promise<Source> {
    return this.#transport.json({ ...options, method: 'POST', path: '/sources', body: { url, refresh }, creates: true })
  }

  /** Returns a source. `wait`: seconds to wait for its listing to end, up to 60. */
  get(sourceId: string, { wait, ...options }: RequestOptions & { wait?: number } = {}): Promise<Source> {
    return this.#transport.json({ ...options, method: 'GET', path: pathOf(sourceId), query: { wait } })
  }

  /** Waits until a source is listed or could not be, and returns it. Throws a `TimeoutError` after `timeoutMs`. */
  waitFor(sourceId: string, { signal, timeoutMs }: SourceWaitOptions = {}): Promise<Source> {
    const message = `Source ${sourceId} was not listed within ${timeoutMs} ms. The listing continues.`
    return withDeadline({ signal, timeoutMs }, message, async (combined) => {
      for (;;) {
        const timeout = WAIT_SECONDS * 1_000 + ANSWER_MS
        const source = await this.get(sourceId, { wait: WAIT_SECONDS, signal: combined, timeoutMs: timeout })
        if (source.status !== 'listing') return source
      }
    })
  }

  /** Lists the account's sources, newest first. `limit`: sources per page, 1 to 100. */
  list({ limit = 100 }: { limit?: number } = {}, options: RequestOptions = {}): List<Source> {
    return createList('sources', (cursor) =>
      this.#transport.json<SourceList>({ ...options, method: 'GET', path: '/sources/', query: { limit, cursor } }),
    )
  }

  /** Lists the videos of a source in its order, each with the account's latest job. */
  videos(
    sourceId: string,
    { notProcessed, sinceVideoId, limit = 100, type }: SourceVideosQuery = {},
    options: RequestOptions = {},
  ): List<SourceVideo, CursorPagination> {
    const filter = { type, not_processed: notProcessed, since_video_id: sinceVideoId, limit }
    return createList('videos', (cursor) =>
      this.#transport.json<SourceVideos>({
        ...options,
        method: 'GET',
        path: `${pathOf(sourceId)}/videos`,
        query: { ...filter, cursor },
      }),
    )
  }

  /** Forgets a source. Its videos and the account's jobs stay. */
  delete(sourceId: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.none({ ...options, method: 'DELETE', path: pathOf(sourceId), dataIfGone: null })
  }
}

const pathOf = (sourceId: string): string => `/sources/${encodeId(sourceId)}`
