import { type JobReceipt, ServiceError } from '@subtext/contracts'
import { type FullConversation, getConversation, listConversations } from '../chats/conversations.ts'
import type { Context, SignedInActor } from '../context.ts'
import { findJob } from '../jobs/index.ts'
import type { Job } from '../jobs/job-row.ts'
import { listJobs } from '../jobs/list.ts'
import { type FinishedJob, getResult } from '../jobs/result.ts'
import { getJobReceipt } from '../receipts/get.ts'
import { EXPORTED_TABLES, type ExportedTableName, readOwnRows } from './export-sql.ts'

type ExportContext = Pick<Context, 'db'>

const ENTRIES_PER_PAGE = 100

/** Returns what is stored about the actor besides jobs: the rows of each table, in pages. */
export const readOwnTables = (
  ctx: ExportContext,
  { userId }: SignedInActor,
): { name: ExportedTableName; rows: AsyncIterable<object[]> }[] =>
  EXPORTED_TABLES.map((name) => ({ name, rows: readOwnRows(ctx.db, name, userId) }))

export interface OwnJob {
  job: Job
  receipt: JobReceipt
  /** Null until the job is completed. */
  finished: FinishedJob | null
  conversations: FullConversation[]
}

/** Yields the jobs of the actor, newest first, with everything that belongs to them. Only one is in memory at a time. */
export async function* readOwnJobs(ctx: ExportContext, actor: SignedInActor): AsyncGenerator<OwnJob> {
  let cursor: string | undefined
  do {
    const page = await listJobs(ctx, actor, { limit: ENTRIES_PER_PAGE, cursor })
    for (const { id } of page.jobs) {
      const found = await readOwnJob(ctx, actor, id).catch(ignoreDeleted)
      if (found) yield found
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function readOwnJob(ctx: ExportContext, actor: SignedInActor, jobId: string): Promise<OwnJob> {
  const job = await findJob(ctx.db, actor.userId, jobId)
  if (!job) throw new ServiceError('NOT_FOUND')
  return {
    job,
    receipt: await getJobReceipt(ctx, actor, job.id),
    finished: job.status === 'completed' ? await getResult(ctx, actor, job.id) : null,
    conversations: await readConversations(ctx, actor, job.id),
  }
}

async function readConversations(ctx: ExportContext, actor: SignedInActor, jobId: string): Promise<FullConversation[]> {
  const found: FullConversation[] = []
  let cursor: string | undefined
  do {
    const page = await listConversations(ctx, actor, jobId, { limit: ENTRIES_PER_PAGE, cursor })
    for (const { id } of page.conversations) {
      const conversation = await getConversation(ctx, actor, jobId, id).catch(ignoreDeleted)
      if (conversation) found.push(conversation)
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

/** A job that was deleted while it was being read is left out. */
function ignoreDeleted(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
  throw error
}
