import { BATCH_STATUSES, type BatchStatus, ServiceError } from '@subtext/contracts'
import { type Batch, type BatchJob, findBatch, listBatches as listStoredBatches } from '@subtext/db'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { type FinishedJob, getResult } from '../jobs/result.ts'

/** A batch of the actor and its jobs in their order; a foreign, unknown or malformed id is `NOT_FOUND`. */
export async function getBatch(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  batchId: string,
): Promise<{ batch: Batch; jobs: BatchJob[] }> {
  const found = isUuid(batchId) ? await findBatch(ctx.db, actor.userId, batchId) : null
  if (!found) throw new ServiceError('NOT_FOUND')
  return found
}

/** The results of those of the jobs that were completed, one at a time, so that no two are held at once. */
export async function* readResults(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  jobs: BatchJob[],
): AsyncGenerator<FinishedJob> {
  for (const { id, status } of jobs) {
    if (status !== 'completed') continue
    const finished = await getResult(ctx, actor, id).catch((error: unknown) => {
      // Deleted since the batch was looked up; the others are still there.
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
  batches: Batch[]
}

/**
 * The actor's batches, newest first. Errors: `VALIDATION_ERROR` for a cursor that is not one of ours for this account and
 * status, or that comes with an offset.
 */
export async function listBatches(ctx: Pick<Context, 'db'>, actor: Actor, query: BatchListQuery): Promise<BatchList> {
  const { status = null } = query
  const cursors = createCursors({
    list: `batches ${actor.userId}`,
    status: status && BATCH_STATUSES.indexOf(status),
  })
  const { entries: batches, ...page } = await readPage(query, cursors, async (place) => {
    const { batches: entries, total } = await listStoredBatches(ctx.db, actor.userId, { status, ...place })
    return { entries, total }
  })
  return { batches, ...page }
}
