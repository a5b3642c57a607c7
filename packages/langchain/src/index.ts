import { BaseDocumentLoader } from '@langchain/core/document_loaders/base'
import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { Subtext } from '@subtext/sdk'

export interface ServiceOptions {
  /** API key (`sk_...`). Default: `SUBTEXT_API_KEY`. */
  apiKey?: string
  /** URL of the service, with or without `/api/v1`. Default: `SUBTEXT_API_BASE`, then `http://127.0.0.1:3000`. */
  baseUrl?: string
}

export interface SubtextLoaderOptions extends ServiceOptions {
  /** ID of a completed job. */
  jobId: string
}

/** What is known of a passage. */
export interface PassageMetadata {
  /** Address of the moment in the video. */
  source: string
  title: string
  /** Seconds from the start of the video. */
  start: number
  end: number
  chapter?: string
  speaker?: string
  language?: string
  /** Of passages that a retriever has found: the job, the video and who published it. */
  job_id?: string
  video_id?: string
  channel?: string
}

/** A passage, as a line of the format `chunks`. */
interface Chunk extends Omit<PassageMetadata, 'source'> {
  id: string
  text: string
  url: string
}

/** Loads the transcript of a job in passages of about 120 words, each with the address of its moment. */
export class SubtextLoader extends BaseDocumentLoader {
  readonly #subtext: Subtext
  readonly #jobId: string

  constructor({ jobId, ...service }: SubtextLoaderOptions) {
    super()
    this.#subtext = new Subtext(service)
    this.#jobId = jobId
  }

  override async load(): Promise<Document<PassageMetadata>[]> {
    const response = await this.#subtext.videos.document(this.#jobId, 'chunks')
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const { id, text, url, ...metadata } = JSON.parse(line) as Chunk
      return new Document({ id, pageContent: text, metadata: { source: url, ...metadata } })
    })
  }
}

export interface SubtextRetrieverOptions extends ServiceOptions, BaseRetrieverInput {
  /** Maximum number of passages. Default: 4. */
  k?: number
  /** Only videos of this source. */
  sourceId?: string
  /** Only videos of this channel. */
  channelId?: string
  /** Only transcripts in this language (BCP-47). */
  language?: string
}

const MAX_QUERY_LENGTH = 200
const MAX_HITS_PER_PAGE = 50

/** Finds the passages of all videos of the account that fit a question best. */
export class SubtextRetriever extends BaseRetriever<PassageMetadata> {
  override lc_namespace = ['subtext', 'retrievers']
  readonly #subtext: Subtext
  readonly #options: SubtextRetrieverOptions

  static override lc_name(): string {
    return 'SubtextRetriever'
  }

  constructor(options: SubtextRetrieverOptions = {}) {
    super(options)
    this.#subtext = new Subtext({ apiKey: options.apiKey, baseUrl: options.baseUrl })
    this.#options = options
  }

  override async _getRelevantDocuments(query: string): Promise<Document<PassageMetadata>[]> {
    const { k = 4, sourceId, channelId, language } = this.#options
    const limit = Math.min(k, MAX_HITS_PER_PAGE)
    const filter = { kind: 'question', sourceId, channelId, language, limit } as const
    const found: Document<PassageMetadata>[] = []
    for await (const hit of this.#subtext.library.search(shorten(query), filter)) {
      for (const { text, url, start, end, segment_ids } of hit.passages) {
        if (found.length === k) return found
        const { job_id, video_id, video_title, channel } = hit
        const metadata = { source: url, title: video_title, start, end, job_id, video_id, channel: channel.name }
        found.push(new Document({ id: `${job_id}:${segment_ids[0]}`, pageContent: text, metadata }))
      }
      if (found.length === k) return found
    }
    return found
  }
}

/** Cuts a question after a word. Its beginning says what it is about. */
const shorten = (query: string): string =>
  query.length > MAX_QUERY_LENGTH ? query.slice(0, MAX_QUERY_LENGTH).replace(/\s\S*$/, '') : query
