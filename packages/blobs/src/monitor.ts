import type { Metrics } from '@subtext/runtime'

export interface BlobMonitor {
  countOperation(labels: { operation: string; outcome: 'ok' | 'failed' }): void
}

/** Creates a monitor whose counter is a metric. */
export const createBlobMonitor = ({ counter }: Pick<Metrics, 'counter'>): BlobMonitor => ({
  countOperation: counter('subtext_blob_operations_total', 'Operations of the blob store, by outcome.', [
    'operation',
    'outcome',
  ]),
})

export const SILENT_MONITOR: BlobMonitor = { countOperation: () => undefined }
