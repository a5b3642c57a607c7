import type {
  CursorPagination,
  LibraryHit,
  LibrarySearchKind,
  LibrarySearchResult,
  MentionCounts,
  MentionGrouping,
} from '../generated/types.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'
import type { ExportOptions } from './batches.ts'
import { LibraryChat } from './library-chat.ts'

export interface LibraryRangeQuery {
  /** A day (UTC), or a date and time (ISO 8601). */
  from?: string
  /** A day (UTC), or a date and time (ISO 8601), which is included. */
  to?: string
}

export interface LibrarySearchQuery extends LibraryRangeQuery {
  /** Default: `words`. */
  kind?: LibrarySearchKind
  /** Only transcripts in this language (BCP-47). */
  language?: string
  channelId?: string
  /** Only videos of this source. */
  sourceId?: string
  /** Hits per page, 1 to 50. Default: 20. */
  limit?: number
}

export interface MentionsQuery extends LibraryRangeQuery {
  /** Default: `month`. */
  by?: MentionGrouping
}

export interface LibraryExportOptions extends ExportOptions {
  /** Only jobs completed on or after this day (UTC), or at or after this date and time (ISO 8601). */
  since?: string
  /** Only videos of this source. */
  sourceId?: string
  /** Only the completed ones of these jobs. */
  jobIds?: readonly string[]
}

/** What was said in all videos of the account. */
export class Library {
  readonly #transport: Transport
  /** Questions about many videos. */
  readonly chat: LibraryChat

  constructor(transport: Transport) {
    this.#transport = transport
    this.chat = new LibraryChat(transport)
  }

  /** Searches the transcripts, the best hits first. `query`: words, `"phrases"` and `-without`, or a question. */
  search(
    query: string,
    { channelId, sourceId, ...rest }: LibrarySearchQuery = {},
    options: RequestOptions = {},
  ): List<LibraryHit, CursorPagination> {
    return createList('hits', (cursor) => {
      const sent = { q: query, channel_id: channelId, source_id: sourceId, ...rest, cursor }
      return this.#transport.json<LibrarySearchResult>({
        ...options,
        method: 'GET',
        path: '/library/search',
        query: sent,
      })
    })
  }

  /** Counts how often something is said. */
  mentions(query: string, filter: MentionsQuery = {}, options: RequestOptions = {}): Promise<MentionCounts> {
    const sent = { q: query, ...filter }
    return this.#transport.json({ ...options, method: 'GET', path: '/library/mentions', query: sent })
  }

  /**
   * Returns a document of each video: a ZIP archive or, with the format `chunks`, lines of JSON. Read the response as a stream; if
   * it breaks off, the archive cannot be opened.
   */
  export({ format, since, sourceId, jobIds, ...options }: LibraryExportOptions = {}): Promise<Response> {
    const query = { format, since, source_id: sourceId, job_ids: jobIds?.join(',') }
    return this.#transport.open({
      ...options,
      method: 'GET',
      path: '/library/export',
      query,
      headers: { Accept: '*/*' },
    })
  }
}
