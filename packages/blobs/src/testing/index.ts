import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BlobStore, BlobStoreError } from '../blob-store.ts'
import { createBlobStore } from '../create-blob-store.ts'

export interface TestBlobStore {
  blobs: BlobStore
  directory: string
  /** The setting `BLOB_STORE_URL` of this store. */
  url: string
  remove(): Promise<void>
}

const refuse = (operation: string) => () => Promise.reject(new BlobStoreError(operation, 'unavailable in this test'))

/** A store that cannot be used. */
export const UNAVAILABLE_BLOBS: BlobStore = {
  put: refuse('put'),
  get: refuse('get'),
  exists: refuse('exists'),
  delete: refuse('delete'),
}

/** Opens a blob store in a new directory. */
export async function openTestBlobs(): Promise<TestBlobStore> {
  const directory = await mkdtemp(join(tmpdir(), 'subtext-blobs-'))
  return {
    blobs: createBlobStore({ kind: 'file', directory }),
    directory,
    url: pathToFileURL(directory).href,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
