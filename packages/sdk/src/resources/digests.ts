import type { CreateDigest, CreatedDigest, Digest, DigestFormat } from '../generated/types.ts'
import { withDeadline } from '../http/deadline.ts'
import { encodeId } from '../http/encode-id.ts'
import { createOutage } from '../http/event-stream.ts'
import { sleep } from '../http/sleep.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface DigestWaitOptions {
  signal?: AbortSignal
  /** Maximum time to wait in milliseconds. Default: unlimited. */
  timeoutMs?: number
}

const POLL_INTERVAL_MS = 2_000

/** What the videos of a batch say, by themes. */
export class Digests {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Has a digest made of a batch that has ended. */
  create(batchId: string, wish: CreateDigest = {}, options: RequestOptions = {}): Promise<CreatedDigest> {
    const path = `/batch/digest/${encodeId(batchId)}`
    return this.#transport.json({ ...options, method: 'POST', path, body: wish, creates: true })
  }

  /** Returns a digest. Its lists are empty until it is completed. */
  get(digestId: string, options: RequestOptions = {}): Promise<Digest> {
    return this.#transport.json({ ...options, method: 'GET', path: pathOf(digestId) })
  }

  /** Returns a completed digest as a document. Read the response with `text()` or, a PDF, with `arrayBuffer()`. */
  document(digestId: string, format: Exclude<DigestFormat, 'json'>, options: RequestOptions = {}): Promise<Response> {
    const call = { ...options, method: 'GET', path: pathOf(digestId), query: { format } } as const
    return this.#transport.open({ ...call, headers: { Accept: '*/*' } })
  }

  /** Waits until a digest is completed or has failed, and returns it. */
  wait(digestId: string, options: DigestWaitOptions = {}): Promise<Digest> {
    const message = `Digest ${digestId} was not completed in time. It goes on.`
    const run = async (signal: AbortSignal): Promise<Digest> => {
      const outage = createOutage(this.#transport, signal)
      for (;;) {
        try {
          const digest = await this.get(digestId, { signal })
          if (digest.status === 'completed' || digest.status === 'failed') return digest
          outage.over()
          await sleep(POLL_INTERVAL_MS, signal)
        } catch (error) {
          await outage.endure(error)
        }
      }
    }
    return withDeadline(options, message, run)
  }
}

const pathOf = (digestId: string): string => `/digests/${encodeId(digestId)}`
