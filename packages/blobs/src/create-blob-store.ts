import { describeNetworkError } from '@subtext/runtime'
import { assertBlobKey, type BlobStore, BlobStoreError } from './blob-store.ts'
import { createFileStore } from './file-store.ts'
import { type BlobMonitor, SILENT_MONITOR } from './monitor.ts'
import type { BlobLocation } from './parse-url.ts'
import { createS3Store } from './s3-store.ts'

/** Opens the blob store at a location. Nothing is created or connected before the first file is stored. */
export function createBlobStore(location: BlobLocation, monitor: BlobMonitor = SILENT_MONITOR): BlobStore {
  const store = location.kind === 'file' ? createFileStore(location.directory) : createS3Store(location)
  const run = async <T>(operation: keyof BlobStore, key: string, work: () => Promise<T>): Promise<T> => {
    assertBlobKey(key)
    try {
      const value = await work()
      monitor.countOperation({ operation, outcome: 'ok' })
      return value
    } catch (error) {
      monitor.countOperation({ operation, outcome: 'failed' })
      throw new BlobStoreError(operation, describeNetworkError(error), { cause: error })
    }
  }
  return {
    put: (key, bytes, contentType) => run('put', key, () => store.put(key, bytes, contentType)),
    get: (key) => run('get', key, () => store.get(key)),
    exists: (key) => run('exists', key, () => store.exists(key)),
    delete: (key) => run('delete', key, () => store.delete(key)),
  }
}
