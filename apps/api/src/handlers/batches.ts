import type { batches, Warning } from '@subtext/contracts'
import {
  describeBatchJob,
  getBatch,
  listBatches,
  readResults,
  type StoredBatch,
  type StoredBatchJob,
  submitBatch,
} from '@subtext/core/batches'
import { findDigestOfBatch } from '@subtext/core/digests'
import { describeAttribution } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { POLL_AGAIN } from '../http/poll-again.ts'
import { batchResultsPath, batchStatusPath, presentBatch, writeBatchResults } from '../presenters/batch.ts'
import { presentPage } from '../presenters/page.ts'

export const batchHandlers: Handlers<typeof batches> = {
  submit: async (ctx, { body }, { actor, resource, abortSignal }) => {
    const signal = abortSignal({ outlastsDraining: true })
    const batch = await submitBatch(ctx, actor, body, { signal, reserved: resource })
    return {
      headers: { Location: batchStatusPath(batch.id) },
      data: {
        batch_id: batch.id,
        status: 'processing',
        total_jobs: batch.jobIds.length,
        jobs: batch.jobIds.map((jobId, index) => ({ index, job_id: jobId })),
        status_url: `${ctx.http.publicBaseUrl}${batchStatusPath(batch.id)}`,
        results_url: `${ctx.http.publicBaseUrl}${batchResultsPath(batch.id)}`,
        created_at: batch.createdAt.toISOString(),
        ...(body.source && {
          source_id: body.source.source_id,
          selected: batch.jobIds.length,
          remaining: batch.remaining ?? 0,
        }),
        ...describeAttribution(batch),
      },
    }
  },
  status: async (ctx, { params }, { actor }) => {
    const { batch, jobs } = await getBatch(ctx, actor, params.batch_id)
    const digestId = await findDigestOfBatch(ctx.db, batch.id)
    return {
      headers: retryAfter(batch),
      data: {
        ...presentBatch(batch),
        jobs: jobs.map(describeBatchJob),
        ...(digestId !== null && { digest_id: digestId }),
      },
    }
  },
  results: async (ctx, { params, query }, { actor }) => {
    const found = await getBatch(ctx, actor, params.batch_id)
    const includeFailed = query.include_failed === 'true'
    return {
      headers: retryAfter(found.batch),
      warnings: listWarnings(found.jobs, includeFailed),
      jsonData: writeBatchResults(ctx, found, readResults(ctx, actor, found.jobs), {
        format: query.format ?? 'default',
        includeFailed,
      }),
    }
  },
  list: async (ctx, { query }, { actor }) => {
    const page = await listBatches(ctx, actor, query)
    return { data: { batches: page.batches.map(presentBatch), pagination: presentPage(page) } }
  },
}

/** Returns the warnings of the jobs that the results contain, each with its job. */
const listWarnings = (jobs: StoredBatchJob[], includeFailed: boolean): Warning[] =>
  jobs
    .filter(({ status }) => status === 'completed' || (includeFailed && status === 'failed'))
    .flatMap(({ id, warnings }) => warnings.map((warning) => ({ ...warning, job_id: id })))

const retryAfter = ({ status }: StoredBatch): Record<string, string> => (status === 'processing' ? POLL_AGAIN : {})
