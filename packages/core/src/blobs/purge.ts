import { v4 as randomId } from 'uuid'
import { acquireLease } from '../coordination/index.ts'
import { forgetBlob, listOrphanedBlobs } from './blobs-sql.ts'
import type { BlobContext } from './keep.ts'

const FILES_PER_STATEMENT = 100
/** Limit per round; the next round deletes the rest. */
const MAX_STATEMENTS = 50
/** Shorter than the interval of the rounds. */
const PURGE_EVERY_SECONDS = 50
/** Longer than storing a file can take. */
const STORING_MS = 3_600_000

/**
 * Deletes the files of deleted jobs, until `stopping` aborts. Throws `BlobStoreError` if the store cannot be used; a later
 * call continues. One process at a time does the work.
 */
export async function purgeBlobs({ db, blobs, clock }: BlobContext, stopping: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - STORING_MS)
  const orphans = { before, limit: FILES_PER_STATEMENT }
  let keys = await listOrphanedBlobs(db, orphans)
  if (keys.length === 0 || !(await acquireLease(db, 'purge blobs', randomId(), PURGE_EVERY_SECONDS))) return
  for (let statement = 0; keys.length > 0 && statement < MAX_STATEMENTS; statement++) {
    for (const key of keys) {
      if (stopping.aborted) return
      await blobs.delete(key)
      await forgetBlob(db, key)
    }
    keys = await listOrphanedBlobs(db, orphans)
  }
}
