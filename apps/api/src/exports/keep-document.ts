import { ServiceError } from '@subtext/contracts'
import { type BlobContext, findBlob, type JobBlob, keepBlob } from '@subtext/core/blobs'
import type { Context } from '@subtext/core/context'
import type { Renderer } from '@subtext/documents'

/** What rendering and storing documents of jobs, PDFs and infographics, requires. */
export interface DocumentContext extends BlobContext {
  renderer: Renderer
  log: Context['log']
}

/** Who wants a document. */
export interface DocumentCaller {
  /** Accounts share the turns of the renderer. */
  account: string
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

type KeptDocument = JobBlob & { contentType: string }

/** Returns a file of a job if it is stored. While the store is unavailable, the file is rendered again. */
export const findKept = (
  { blobs, log }: Pick<DocumentContext, 'blobs' | 'log'>,
  { jobId, name }: JobBlob,
): Promise<Buffer | null> =>
  findBlob({ blobs }, { jobId, name }).catch((error: Error) => {
    log.warn('file not read', { job_id: jobId, name, error: error.message })
    return null
  })

type Make = (signal: AbortSignal) => Promise<Buffer>

/** A document that is being made, and how many callers wait for it. */
interface PendingDocument {
  bytes: Promise<Buffer>
  callers: number
  abandoned: AbortController
}

/**
 * Creates a function that returns documents, stored before or rendered now. Concurrent requests for the same document share
 * one render, which ends when all of their callers have gone.
 */
export function createDocumentKeeper(
  ctx: DocumentContext,
): (document: KeptDocument, make: Make, signal: AbortSignal) => Promise<Buffer> {
  const pending = new Map<string, PendingDocument>()
  const produce = async (document: KeptDocument, make: Make, signal: AbortSignal): Promise<Buffer> => {
    const kept = await findKept(ctx, document)
    if (kept) return kept
    const bytes = await make(signal)
    await keepBlob(ctx, document, bytes).catch((error: Error) =>
      // The next request renders it again.
      ctx.log.warn('file not stored', { job_id: document.jobId, name: document.name, error: error.message }),
    )
    return bytes
  }
  const begin = (id: string, document: KeptDocument, make: Make): PendingDocument => {
    const abandoned = new AbortController()
    const started: PendingDocument = {
      abandoned,
      callers: 0,
      bytes: produce(document, make, abandoned.signal).finally(() => {
        if (pending.get(id) === started) pending.delete(id)
      }),
    }
    pending.set(id, started)
    return started
  }
  return async (document, make, signal) => {
    if (signal.aborted) throw reasonOf(signal)
    const id = `${document.jobId}/${document.name}`
    const shared = pending.get(id) ?? begin(id, document, make)
    shared.callers++
    try {
      return await unlessAborted(shared.bytes, signal)
    } finally {
      shared.callers--
      if (shared.callers === 0) {
        if (pending.get(id) === shared) pending.delete(id)
        shared.abandoned.abort()
      }
    }
  }
}

/** Rejects as soon as the signal aborts. What is left of the work is not waited for. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(reasonOf(signal))
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A caller that has gone reads no error. */
const reasonOf = ({ reason }: AbortSignal): ServiceError =>
  reason instanceof ServiceError ? reason : new ServiceError('SERVICE_UNAVAILABLE', { cause: reason })
