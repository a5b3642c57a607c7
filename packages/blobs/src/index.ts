export { type BlobStore, BlobStoreError } from './blob-store.ts'
export { createBlobStore } from './create-blob-store.ts'
export { BlobEnv } from './env.ts'
export { type BlobMonitor, createBlobMonitor } from './monitor.ts'
