import { type BlobContext, findBlob, type JobBlob, keepBlob } from '@subtext/core/blobs'
import type { Context } from '@subtext/core/context'
import type { Renderer } from '@subtext/documents'

/** What rendering and storing files of jobs requires. */
export interface FileContext extends BlobContext {
  renderer: Renderer
  log: Context['log']
}

type KeptFile = JobBlob & { contentType: string }

/** Returns a file of a job if it is stored. While the store is unavailable, the file is rendered again. */
export const findKept = (
  { blobs, log }: Pick<FileContext, 'blobs' | 'log'>,
  { jobId, name }: JobBlob,
): Promise<Buffer | null> =>
  findBlob({ blobs }, { jobId, name }).catch((error: Error) => {
    log.warn('file not read', { job_id: jobId, name, error: error.message })
    return null
  })

/**
 * Creates a function that returns files, stored before or rendered now. Concurrent requests for the same file share one render.
 */
export function createFileKeeper(ctx: FileContext): (file: KeptFile, make: () => Promise<Buffer>) => Promise<Buffer> {
  const pending = new Map<string, Promise<Buffer>>()
  const produce = async (file: KeptFile, make: () => Promise<Buffer>): Promise<Buffer> => {
    const kept = await findKept(ctx, file)
    if (kept) return kept
    const bytes = await make()
    await keepBlob(ctx, file, bytes).catch((error: Error) =>
      // The next request renders it again.
      ctx.log.warn('file not stored', { job_id: file.jobId, name: file.name, error: error.message }),
    )
    return bytes
  }
  return (file, make) => {
    const id = `${file.jobId}/${file.name}`
    const shared = pending.get(id)
    if (shared) return shared
    const producing = produce(file, make).finally(() => pending.delete(id))
    pending.set(id, producing)
    return producing
  }
}
