import type {
  Batch,
  BatchEstimate,
  BatchList,
  BatchReceipt,
  BatchResults,
  BatchWithJobs,
  DocumentFormat,
  SubmitBatch,
  SubmitSourceBatch,
  SubmittedBatch,
} from '../generated/types.ts'
import { withDeadline } from '../http/deadline.ts'
import { encodeId } from '../http/encode-id.ts'
import { createOutage } from '../http/event-stream.ts'
import { createList, type List } from '../http/pages.ts'
import { sleep } from '../http/sleep.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface BatchResultsOptions extends RequestOptions {
  /** Also lists the jobs that failed, and why. */
  includeFailed?: boolean
  /** `json`: transcripts as timed segments, summaries with citations. Default: every text is Markdown. */
  format?: 'json'
}

export interface ExportOptions extends RequestOptions {
  /** Default: `markdown`. */
  format?: DocumentFormat
}

export interface BatchWaitOptions {
  signal?: AbortSignal
  /** Maximum time to wait in milliseconds. Default: unlimited. */
  timeoutMs?: number
  /** Called with the state of the batch whenever it has been read. */
  onProgress?: (batch: BatchWithJobs) => void
}

const POLL_INTERVAL_MS = 5_000
/** Time that the last request has, which is sent when the waiting time is over. */
const LAST_REQUEST_MS = 2_000

/** Up to 100 videos in one request. */
export class Batches {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Submits 1 to 100 videos, or those of a source that are selected, as a whole or not at all. */
  submit(batch: SubmitBatch | SubmitSourceBatch, options: RequestOptions = {}): Promise<SubmittedBatch> {
    return this.#transport.json({ ...options, method: 'POST', path: '/batch/process', body: batch, creates: true })
  }

  /** Returns whether a batch would be accepted, and what it would use and cost. Creates nothing. */
  estimate(batch: SubmitBatch | SubmitSourceBatch, options: RequestOptions = {}): Promise<BatchEstimate> {
    return this.#transport.json({ ...options, method: 'POST', path: '/batch/estimate', body: batch })
  }

  /** Returns the current state of a batch and of each of its jobs. */
  status(batchId: string, options: RequestOptions = {}): Promise<BatchWithJobs> {
    return this.#transport.json({ ...options, method: 'GET', path: `/batch/status/${encodeId(batchId)}` })
  }

  /** Returns the results that exist so far. A batch that has ended has all of them. */
  results(batchId: string, options: BatchResultsOptions = {}): Promise<BatchResults> {
    const { includeFailed, format, ...rest } = options
    const query = { include_failed: includeFailed, format }
    const path = `/batch/results/${encodeId(batchId)}`
    return this.#transport.json({ ...rest, method: 'GET', path, query })
  }

  /** Returns what the jobs of a batch have cost and why, line by line. */
  receipt(batchId: string, options: RequestOptions = {}): Promise<BatchReceipt> {
    return this.#transport.json({ ...options, method: 'GET', path: `/batch/receipt/${encodeId(batchId)}` })
  }

  /** Lists the account's batches, newest first. `limit`: batches per page, 1 to 100. */
  list({ limit = 100 }: { limit?: number } = {}, options: RequestOptions = {}): List<Batch> {
    return createList('batches', (cursor) =>
      this.#transport.json<BatchList>({ ...options, method: 'GET', path: '/batch/', query: { limit, cursor } }),
    )
  }

  /**
   * Returns the documents of what the batch has completed so far: a ZIP archive with one for each video or, with the format
   * `chunks`, lines of JSON. Read the response as a stream; if it breaks off, the archive cannot be opened.
   */
  export(batchId: string, { format, ...options }: ExportOptions = {}): Promise<Response> {
    const path = `/batch/export/${encodeId(batchId)}`
    return this.#transport.open({ ...options, method: 'GET', path, query: { format }, headers: { Accept: '*/*' } })
  }

  /**
   * Waits until every job of a batch has ended, and returns the batch. Asks a last time after `timeoutMs`, for at most two
   * seconds, and throws a `TimeoutError` if jobs are still running. Survives deployments and outages like `videos.waitFor`.
   */
  waitFor(batchId: string, options: BatchWaitOptions = {}): Promise<BatchWithJobs> {
    const { signal, timeoutMs, onProgress } = options
    const message = `Batch ${batchId} did not end within ${timeoutMs} ms. It continues to run.`
    /** Returns the batch if it has ended. */
    const look = async (request: RequestOptions): Promise<BatchWithJobs | undefined> => {
      const batch = await this.status(batchId, { ...request, maxRetries: 0 })
      onProgress?.(batch)
      return batch.status === 'processing' ? undefined : batch
    }
    const run = async (signal: AbortSignal): Promise<BatchWithJobs> => {
      const outage = createOutage(this.#transport, signal)
      for (;;) {
        try {
          const batch = await look({ signal })
          if (batch) return batch
          outage.over()
          await sleep(POLL_INTERVAL_MS, signal)
        } catch (error) {
          await outage.endure(error)
        }
      }
    }
    return withDeadline(options, message, run, () => look({ signal, timeoutMs: LAST_REQUEST_MS }))
  }
}
