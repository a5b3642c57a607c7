import { withJobId } from '../errors.ts'
import type {
  DefaultResult,
  DeriveJob,
  DocumentFormat,
  ImportCaptions,
  Job,
  JobList,
  JobReceipt,
  JobStatus,
  PaperSize,
  StructuredResult,
  SubmitSourceVideo,
  SubmittedJob,
  SubmitVideo,
  SummaryMode,
  Thumbnails,
  VideoEstimate,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { Call, RequestOptions, Transport } from '../http/transport.ts'
import { type EventsOptions, followJob, type JobEvent, type WaitOptions, waitForJob } from './follow-job.ts'

export interface ListJobsQuery {
  status?: JobStatus
  /** Part of a title or of the name of a channel, or the beginning of an ID. */
  q?: string
  /** Jobs per page, 1 to 100. Default: 100. */
  limit?: number
}

export interface ResultOptions extends RequestOptions {
  /** `json`: transcript as timed segments, summaries with citations. Default: every text is Markdown. */
  format?: 'json'
}

export interface DocumentOptions extends RequestOptions {
  /** Adds a file name to the response (`Content-Disposition`). */
  download?: boolean
  /** Whether CSV starts with a byte order mark, by which spreadsheets recognize UTF-8. Default: if `download` is set. */
  bom?: boolean
}

export interface InfographicOptions extends RequestOptions {
  /** Default: `png`. */
  format?: 'png' | 'svg'
  /** `card`: 1080 by 1350 pixels. `wide`: 1200 by 675. `story`: 1080 by 1920. Default: `card`. */
  layout?: 'card' | 'wide' | 'story'
  /** Default: `light`. */
  theme?: 'light' | 'dark'
}

/** Longer than the service takes to draw a picture at most. */
const PICTURE_TIMEOUT_MS = 60_000

export interface PdfOptions extends RequestOptions {
  /** Default: `a4`. */
  paper?: PaperSize
  /** Whether the transcript is included. Default: true. */
  transcript?: boolean
  /** Only these of the summaries. Default: all that the result has. */
  modes?: SummaryMode[]
}

/** Longer than the service takes to render a PDF at most. */
const PDF_TIMEOUT_MS = 90_000

/** Captions in a file of any common encoding. */
export interface ImportFile extends Omit<ImportCaptions, 'captions' | 'title'> {
  file: Blob
  /** Default: `name` of the file, without its ending. */
  title?: string
}

/** Large files take their time on slow connections. */
const IMPORT_TIMEOUT_MS = 120_000

/** Returns the parts of a request with a file. Lists and objects are JSON. */
function toForm({ file, ...fields }: ImportFile): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.append('file', file)
  return form
}

/** A video by its URL, or by its source, as which episodes of podcasts are named. */
export type VideoSubmission = SubmitVideo | SubmitSourceVideo

export interface ProcessOptions extends WaitOptions, ResultOptions {}

/** Single videos: submit one, follow its job, fetch its result. */
export class Videos {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Submits a video. Returns the job as soon as it is accepted. */
  submit(video: VideoSubmission, options: RequestOptions = {}): Promise<SubmittedJob> {
    return this.#transport.json({ ...options, method: 'POST', path: '/videos/process', body: video, creates: true })
  }

  /**
   * Imports captions of your own: text in any format of captions, or a file (`File` or `Blob`), whose encoding is recognized.
   * Returns the job as soon as it is accepted.
   */
  import(captions: ImportCaptions | ImportFile, options: RequestOptions = {}): Promise<SubmittedJob> {
    const body = 'file' in captions ? toForm(captions) : captions
    const { timeoutMs = IMPORT_TIMEOUT_MS, ...rest } = options
    return this.#transport.json({ ...rest, timeoutMs, method: 'POST', path: '/videos/import', body, creates: true })
  }

  /** Returns whether a video would be accepted, and what it would use and cost. Creates nothing. */
  estimate(video: VideoSubmission, options: RequestOptions = {}): Promise<VideoEstimate> {
    return this.#transport.json({ ...options, method: 'POST', path: '/videos/estimate', body: video })
  }

  /** Returns the current state of a job. With `waitSeconds` (0 to 60), responds once the job has ended, or after that time. */
  status(jobId: string, options: RequestOptions & { waitSeconds?: number } = {}): Promise<Job> {
    const { waitSeconds, ...rest } = options
    return this.#job<Job>('GET', '/videos/status', jobId, { ...rest, query: { wait: waitSeconds } })
  }

  /** Returns the result of a completed job. Throws the job's own error if it failed. */
  result(jobId: string, options: ResultOptions & { format: 'json' }): Promise<StructuredResult>
  result(jobId: string, options?: RequestOptions & { format?: undefined }): Promise<DefaultResult>
  result(jobId: string, options?: ResultOptions): Promise<DefaultResult | StructuredResult>
  result(jobId: string, { format, ...options }: ResultOptions = {}): Promise<DefaultResult | StructuredResult> {
    return this.#job('GET', '/videos/result', jobId, { ...options, query: { format } })
  }

  /** Returns the result as a document. Read the response as a stream, or whole with `text()`. */
  document(jobId: string, format: DocumentFormat, options: DocumentOptions = {}): Promise<Response> {
    const { download, bom, ...rest } = options
    const query = { format, ...(download && { download: 1 }), ...(bom !== undefined && { bom: String(bom) }) }
    const path = `/videos/result/${encodeId(jobId)}`
    return this.#file(jobId, path, { ...rest, query })
  }

  /** Returns the infographic of a job that was submitted with `generate_infographic`. Read it whole with `arrayBuffer()`. */
  infographic(jobId: string, options: InfographicOptions = {}): Promise<Response> {
    const { format, layout, theme, timeoutMs = PICTURE_TIMEOUT_MS, ...rest } = options
    const path = `/videos/infographic/${encodeId(jobId)}`
    const query = { format, layout, theme }
    return this.#file(jobId, path, { ...rest, timeoutMs, query })
  }

  /** Returns the result as a PDF, which is rendered on the first request. Read the response whole with `arrayBuffer()`. */
  exportPdf(jobId: string, options: PdfOptions = {}): Promise<Response> {
    const { paper, transcript, modes, timeoutMs = PDF_TIMEOUT_MS, ...rest } = options
    const query = { paper, transcript, modes: modes?.join(',') }
    const path = `/videos/export/${encodeId(jobId)}/pdf`
    return this.#file(jobId, path, { ...rest, timeoutMs, query })
  }

  /** Lists the account's jobs, newest first. */
  list({ status, q, limit = 100 }: ListJobsQuery = {}, options: RequestOptions = {}): List<Job> {
    return createList('jobs', (cursor) =>
      this.#transport.json<JobList>({
        ...options,
        method: 'GET',
        path: '/videos/',
        query: { status, q, limit, cursor },
      }),
    )
  }

  /** Cancels a job that has not ended. Returns its state. */
  cancel(jobId: string, options: RequestOptions = {}): Promise<Job> {
    return this.#job('POST', '/videos/cancel', jobId, options)
  }

  /** Deletes a job that has ended, with everything that it holds. */
  delete(jobId: string, options: RequestOptions = {}): Promise<void> {
    const path = `/videos/${encodeId(jobId)}`
    return withJobId(jobId, () => this.#transport.none({ ...options, method: 'DELETE', path, dataIfGone: null }))
  }

  /**
   * Adds summaries to a completed job, in a new job: from the same transcript, without a video of the quota. Its result also
   * contains the summaries of the source.
   */
  derive(jobId: string, body: DeriveJob, options: RequestOptions = {}): Promise<SubmittedJob> {
    return this.#job('POST', '/videos/derive', jobId, { ...options, body, creates: true })
  }

  /** Returns what a job has cost and why, line by line. */
  receipt(jobId: string, options: RequestOptions = {}): Promise<JobReceipt> {
    return this.#job('GET', '/videos/receipt', jobId, options)
  }

  /** Follows a job to its end: its progress, each summary when it is written, and the end. Resumes automatically. */
  events(jobId: string, options: EventsOptions = {}): AsyncGenerator<JobEvent> {
    return followJob(this.#transport, jobId, options)
  }

  /** Waits until a job has completed or failed, and returns it. Throws a `TimeoutError` after `timeoutMs`. */
  waitFor(jobId: string, options: WaitOptions = {}): Promise<Job> {
    return waitForJob(this.#transport, jobId, options)
  }

  /**
   * Submits a video, waits for its end and returns the result. Throws the job's own error if it fails. `timeoutMs` limits the
   * waiting; when it is over, the job continues, and the error carries its `jobId`. It also continues when the call is aborted,
   * which throws the reason of the signal alone: `submit` and `waitFor` let you keep the ID.
   */
  process(video: VideoSubmission, options: ProcessOptions & { format: 'json' }): Promise<StructuredResult>
  process(video: VideoSubmission, options?: ProcessOptions & { format?: undefined }): Promise<DefaultResult>
  async process(video: VideoSubmission, options: ProcessOptions = {}): Promise<DefaultResult | StructuredResult> {
    const { signal, maxRetries, idempotencyKey, format } = options
    const { job_id: jobId } = await this.submit(video, { signal, maxRetries, idempotencyKey })
    await this.waitFor(jobId, options)
    return this.result(jobId, { signal, maxRetries, format })
  }

  /** Returns the URLs of a video's thumbnails. */
  thumbnails(url: string, options: RequestOptions = {}): Promise<Thumbnails> {
    return this.#transport.json({ ...options, method: 'GET', path: '/videos/thumbnails', query: { url } })
  }

  #file(jobId: string, path: string, options: Partial<Call>): Promise<Response> {
    return withJobId(jobId, () => this.#transport.open({ ...options, method: 'GET', path, headers: { Accept: '*/*' } }))
  }

  #job<T>(method: 'GET' | 'POST', prefix: string, jobId: string, options: Partial<Call>): Promise<T> {
    const path = `${prefix}/${encodeId(jobId)}`
    return withJobId(jobId, () => this.#transport.json<T>({ ...options, method, path }))
  }
}
