import type { ErrorCode } from '@subtext/contracts'
import type { Db, Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { findBatch } from '../batches/index.ts'
import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { chargeReservation } from '../spending/index.ts'
import { type JobSummary, listJobSummaries } from '../summaries/index.ts'
import { type ChatUsage, recordDigestUsage } from '../usage/index.ts'
import { buildEvent } from '../webhooks/event.ts'
import { recordWebhookEvent } from '../webhooks/index.ts'
import {
  type ClaimedDigest,
  type DigestContent,
  type DigestSource,
  endDigest,
  failDigest,
  keepJobs,
  listCited,
  listDigestSources,
  type StoredDigestVideo,
  saveDigestGroups,
} from './digests-sql.ts'
import { withoutJobs } from './without-jobs.ts'

/** A completed job of a batch with its stored summaries. */
export interface SummarizedJob extends DigestSource {
  summaries: JobSummary[]
}

export interface DigestMaterial {
  /** All videos of the batch, in its order. */
  videos: StoredDigestVideo[]
  /** The completed ones, in the same order. */
  jobs: SummarizedJob[]
}

/** Reads completed jobs with their stored summaries, in this order. */
export async function readSummarizedJobs(sql: Sql, jobIds: readonly string[]): Promise<SummarizedJob[]> {
  const sources = new Map((await listDigestSources(sql, jobIds)).map((source) => [source.jobId, source]))
  const jobs: SummarizedJob[] = []
  for (const id of jobIds) {
    const source = sources.get(id)
    if (source) jobs.push({ ...source, summaries: await listJobSummaries(sql, id) })
  }
  return jobs
}

/** Reads what a digest is made of. Null if its batch was deleted. */
export async function readDigestMaterial(
  { db }: { db: Db },
  { userId, batchId }: ClaimedDigest,
): Promise<DigestMaterial | null> {
  const found = await findBatch(db, userId, batchId)
  if (!found) return null
  const ids = found.jobs.filter(({ status }) => status === 'completed').map(({ id }) => id)
  const jobs = await readSummarizedJobs(db, ids)
  const sources = new Map(jobs.map((source) => [source.jobId, source]))
  const videos = found.jobs.map(({ id, videoId, videoTitle, videoUrl, status }) => ({
    jobId: id,
    videoId,
    videoUrl,
    title: sources.get(id)?.info.title ?? videoTitle ?? videoId,
    status,
  }))
  return { videos, jobs }
}

type PaidUsage = Pick<ChatUsage, 'model' | 'usage' | 'outcome'> & {
  charges: readonly { costUsd: number; reservation: { id: string; release(): Promise<void>; keep(): void } }[]
}

/** Stores how a model has grouped the points, with what that has cost, once. Returns false if the lease is lost. */
export async function savePaidGroups(
  { db, clock }: { db: Db; clock: Context['clock'] },
  claimed: ClaimedDigest,
  { groups, paid }: { groups: unknown; paid: PaidUsage },
): Promise<boolean> {
  const { charges, ...spent } = paid
  const isSaved = await db.transaction(async (sql) => {
    if (!(await saveDigestGroups(sql, claimed, groups))) return false
    const { id, userId, apiKeyId } = claimed
    // A second call for the same digest, after the first brought nothing, has an entry of its own.
    await recordDigestUsage(sql, { ...spent, digestId: id, userId, apiKeyId, endedAt: clock() })
    for (const { reservation, costUsd } of charges) {
      if (costUsd > 0) await chargeReservation(sql, reservation.id, costUsd)
    }
    return true
  })
  for (const { reservation } of charges) {
    if (isSaved) await reservation.release()
    else reservation.keep()
  }
  return isSaved
}

/** Stores a digest and its event, once. Returns false if the lease is lost. */
export async function completeDigest(
  ctx: Pick<Context, 'clock' | 'notifier' | 'log'> & { db: Db },
  claimed: ClaimedDigest,
  written: DigestContent,
): Promise<boolean> {
  const { id, userId, batchId } = claimed
  const now = ctx.clock()
  const deliveryId = newId()
  const outcome = await ctx.db.transaction(async (sql) => {
    const cited = listCited(written)
    const kept = await keepJobs(sql, cited)
    const gone = new Set(cited.filter((jobId) => !kept.has(jobId)))
    const content = gone.size > 0 ? withoutJobs(written, gone) : written
    if (!(await endDigest(sql, claimed, { content, citedJobs: listCited(content), now }))) return 'lost'
    const url = (await findBatch(sql, userId, batchId))?.batch.webhookUrl
    if (!url) return 'ended'
    const event = buildEvent('digest.completed', now, { digest_id: id, batch_id: batchId })
    await recordWebhookEvent(sql, { ...event, deliveryId, userId, subjectId: batchId, url })
    return 'announced'
  })
  if (outcome === 'announced') notify(ctx, 'delivery', deliveryId)
  return outcome !== 'lost'
}

/** Fails a digest. Returns false if the lease is lost. */
export const abandonDigest = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  claimed: ClaimedDigest,
  code: ErrorCode,
): Promise<boolean> => failDigest(db, claimed, code, clock())
