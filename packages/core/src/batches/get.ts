import { BATCH_STATUSES, type BatchStatus, ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { type FinishedJob, getResult } from '../jobs/result.ts'
import { findBatch, listBatchRows, type StoredBatch, type StoredBatchJob } from './batches-sql.ts'

/**
 * Returns a batch of the actor and its jobs in their order. Error: `NOT_FOUND` for an unknown or malformed ID, or one of
 * another account.
 */
export async function getBatch(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  batchId: string,
): Promise<{ batch: StoredBatch; jobs: StoredBatchJob[] }> {
  const found = isUuid(batchId) ? await findBatch(ctx.db, actor.userId, batchId) : null
  if (!found) throw new ServiceError('NOT_FOUND')
  return found
}

/** Yields the results of the completed jobs, one at a time, so that no two are in memory at once. */
export async function* readResults(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  jobs: Pick<StoredBatchJob, 'id' | 'status'>[],
): AsyncGenerator<FinishedJob> {
  for (const { id, status } of jobs) {
    if (status !== 'completed') continue
    const finished = await getResult(ctx, actor, id).catch((error: unknown) => {
      // This job was deleted after the batch was read; the others still exist.
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
      throw error
    })
    if (finished) yield finished
  }
}

export interface BatchListQuery extends PageQuery {
  status?: BatchStatus | undefined
}

export interface BatchList extends PageOfList {
  batches: StoredBatch[]
}

/**
 * Returns the actor's batches, newest first. Error: `VALIDATION_ERROR` for a cursor of another account or status, or one
 * sent together with an offset.
 */
export async function listBatches(ctx: Pick<Context, 'db'>, actor: Actor, query: BatchListQuery): Promise<BatchList> {
  const { status = null } = query
  const cursors = createCursors({
    list: `batches ${actor.userId}`,
    status: status && BATCH_STATUSES.indexOf(status),
  })
  const { entries: batches, ...page } = await readPage(query, cursors, async (place) => {
    const { batches: entries, total } = await listBatchRows(ctx.db, actor.userId, { status, ...place })
    return { entries, total }
  })
  return { batches, ...page }
}
