import { API_PREFIX, type Batch, type BatchProcessing, type FailedBatchJob, ServiceError } from '@subtext/contracts'
import { describeBatchJob, describeBatchStats, type StoredBatch, type StoredBatchJob } from '@subtext/core/batches'
import { describeAttribution, type FinishedJob } from '@subtext/core/jobs'
import { RENDERERS, streamArray, streamJson, writeJson } from '@subtext/render'
import { type PresentContext, toRenderable } from './result.ts'

export const batchStatusPath = (batchId: string): string => `${API_PREFIX}/batch/status/${batchId}`
export const batchResultsPath = (batchId: string): string => `${API_PREFIX}/batch/results/${batchId}`

export const presentBatch = (batch: StoredBatch): Batch => ({
  batch_id: batch.id,
  status: batch.status,
  progress_percentage: batch.progress,
  summary_stats: describeBatchStats(batch),
  created_at: batch.createdAt.toISOString(),
  ...(batch.startedAt && { started_at: batch.startedAt.toISOString() }),
  ...(batch.completedAt && { completed_at: batch.completedAt.toISOString() }),
  ...describeAttribution(batch),
})

const presentProcessing = ({ startedAt, completedAt }: StoredBatch): BatchProcessing => ({
  started_at: startedAt?.toISOString() ?? null,
  completed_at: completedAt?.toISOString() ?? null,
  total_processing_time:
    completedAt && Math.max(0, completedAt.getTime() - (startedAt ?? completedAt).getTime()) / 1_000,
})

function presentFailed(job: StoredBatchJob): FailedBatchJob {
  const { code, message, retryable } = new ServiceError('INTERNAL_ERROR')
  const { index, job_id, video_id, video_url, error = { code, message, retryable } } = describeBatchJob(job)
  return { index, job_id, video_id, video_url, error }
}

/**
 * Yields the JSON text of `BatchResults` in pieces, so that a hundred results of ten megabytes each are never in memory
 * together. `results`: those of the completed jobs, in the order of the batch.
 */
export function writeBatchResults(
  ctx: PresentContext,
  { batch, jobs }: { batch: StoredBatch; jobs: StoredBatchJob[] },
  results: AsyncIterable<FinishedJob>,
  { format, includeFailed }: { format: 'default' | 'json'; includeFailed: boolean },
): AsyncIterable<string> {
  const failed = includeFailed ? jobs.filter(({ status }) => status === 'failed') : []
  const { render } = RENDERERS[format]
  async function* renderResults() {
    for await (const finished of results) yield streamJson(render(toRenderable(ctx, finished)))
  }
  return writeJson({
    batch_id: batch.id,
    status: batch.status,
    summary_stats: describeBatchStats(batch),
    processing: presentProcessing(batch),
    failed_jobs: failed.map(presentFailed),
    successful_jobs: streamArray(renderResults()),
  })
}
