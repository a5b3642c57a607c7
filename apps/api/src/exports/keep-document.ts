import { type BlobContext, findBlob, type JobBlob, keepBlob } from '@subtext/core/blobs'
import type { Context } from '@subtext/core/context'
import type { Renderer } from '@subtext/documents'

/** What rendering and storing documents of jobs, PDFs and infographics, requires. */
export interface DocumentContext extends BlobContext {
  renderer: Renderer
  log: Context['log']
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

/**
 * Creates a function that returns documents, stored before or rendered now. Concurrent requests for the same document share
 * one render.
 */
export function createDocumentKeeper(
  ctx: DocumentContext,
): (document: KeptDocument, make: () => Promise<Buffer>) => Promise<Buffer> {
  const pending = new Map<string, Promise<Buffer>>()
  const produce = async (document: KeptDocument, make: () => Promise<Buffer>): Promise<Buffer> => {
    const kept = await findKept(ctx, document)
    if (kept) return kept
    const bytes = await make()
    await keepBlob(ctx, document, bytes).catch((error: Error) =>
      // The next request renders it again.
      ctx.log.warn('file not stored', { job_id: document.jobId, name: document.name, error: error.message }),
    )
    return bytes
  }
  return (document, make) => {
    const id = `${document.jobId}/${document.name}`
    const shared = pending.get(id)
    if (shared) return shared
    const producing = produce(document, make).finally(() => pending.delete(id))
    pending.set(id, producing)
    return producing
  }
}
