import type { BatchTableRequest, LibraryTableRequest, VideoTable } from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

/** What several videos say, side by side. */
export class Tables {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Fills a template, or answers questions, for the videos of a batch that has ended. */
  ofBatch(batchId: string, subject: BatchTableRequest, options: RequestOptions = {}): Promise<VideoTable> {
    const path = `/batch/table/${encodeId(batchId)}`
    return this.#transport.json({ ...options, method: 'POST', path, body: subject, creates: true })
  }

  /** Does the same for completed jobs. */
  ofJobs(subject: LibraryTableRequest, options: RequestOptions = {}): Promise<VideoTable> {
    return this.#transport.json({ ...options, method: 'POST', path: '/library/table', body: subject, creates: true })
  }

  /** Returns a table. Its last cell is known when its `status` is `completed`. */
  get(tableId: string, options: RequestOptions = {}): Promise<VideoTable> {
    return this.#transport.json({ ...options, method: 'GET', path: `/tables/${encodeId(tableId)}` })
  }

  /** Returns a table as a document. Read the response whole with `text()`. */
  document(tableId: string, format: 'csv' | 'markdown', options: RequestOptions = {}): Promise<Response> {
    const path = `/tables/${encodeId(tableId)}`
    return this.#transport.open({ ...options, method: 'GET', path, query: { format }, headers: { Accept: '*/*' } })
  }
}
