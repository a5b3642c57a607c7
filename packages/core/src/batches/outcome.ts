import type { BatchStatus } from '@subtext/contracts'

/** Returns the status of a batch whose jobs have all ended. */
export function batchOutcome({
  succeeded,
  failed,
}: {
  succeeded: number
  failed: number
}): Exclude<BatchStatus, 'processing'> {
  if (failed === 0) return 'completed'
  return succeeded === 0 ? 'failed' : 'partial_failure'
}
