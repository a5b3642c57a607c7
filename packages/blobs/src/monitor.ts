import type { Metrics } from '@subtext/runtime'

export interface BlobMonitor {
  countOperation(labels: { operation: string; outcome: 'ok' | 'failed' }): void
}

/** Creates a monitor whose counter is a metric. */
export const createBlobMonitor = ({ counter }: Pick<Metrics, 'counter'>): BlobMonitor => ({
  countOperation: counter('subtext_blob_operations_total', 'Files stored, read and deleted in the blob store.', {
    operation: 'kind of operation',
    outcome: ['ok', 'failed'],
  }),
})

export const SILENT_MONITOR: BlobMonitor = { countOperation: () => undefined }
