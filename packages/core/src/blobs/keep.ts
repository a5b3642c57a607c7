import type { BlobStore } from '@subtext/blobs'
import type { Context } from '../context.ts'
import { markBlobStored, type RegisteredBlob, registerBlob } from './blobs-sql.ts'

export interface BlobContext extends Pick<Context, 'db' | 'clock'> {
  blobs: BlobStore
}

/** Identifies a file of a job. `name` contains everything that its content depends on, such as options. */
export interface JobBlob {
  jobId: string
  /** Letters, digits, `_`, `-` and `.`. */
  name: string
}

/** Name of the file with the thumbnail of the video. */
export const THUMBNAIL_BLOB = 'thumbnail'

// The end of a UUIDv7 is random: files are spread over 256 directories.
const keyOf = ({ jobId, name }: JobBlob): string => `jobs/${jobId.slice(-2)}/${jobId}/${name}`

/**
 * Stores a file that belongs to a job and is deleted together with it. Returns false, storing nothing, if the job is
 * already deleted. Throws `BlobStoreError`.
 */
export async function keepBlob(ctx: BlobContext, blob: NewJobBlob, bytes: Uint8Array): Promise<boolean> {
  const stored = await storeBlob(ctx, blob, bytes)
  if (stored) await markBlobStored(ctx.db, stored)
  return stored !== null
}

type NewJobBlob = JobBlob & { contentType: string }

/**
 * Stores a file like `keepBlob`, but leaves recording it to the statement that completes the job. If that never happens, the
 * file outlives the deletion of the job by up to an hour. Returns null if the job is already deleted.
 */
export async function storeBlob(
  { db, blobs, clock }: BlobContext,
  blob: NewJobBlob,
  bytes: Uint8Array,
): Promise<RegisteredBlob | null> {
  const key = keyOf(blob)
  const { jobId, contentType } = blob
  // The row comes first: a file without one would never be deleted.
  const registeredAt = clock()
  if (!(await registerBlob(db, { key, jobId, contentType, size: bytes.length }, registeredAt))) return null
  await blobs.put(key, bytes, contentType)
  return { key, registeredAt, storedAt: clock() }
}

/** Returns a file of a job, or null if there is none. The caller must have checked the owner. Throws `BlobStoreError`. */
export const findBlob = ({ blobs }: Pick<BlobContext, 'blobs'>, blob: JobBlob): Promise<Buffer | null> =>
  blobs.get(keyOf(blob))
