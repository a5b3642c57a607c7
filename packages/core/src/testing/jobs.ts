import { randomUUID } from 'node:crypto'
import type { Db, Sql } from '@subtext/db'
import { acceptJobs } from '../jobs/accept-sql.ts'
import { type ClaimedRow, type ClaimOptions, claimJobs, type HeldJob } from '../jobs/claim-sql.ts'
import type { Job, Lease, NewJob } from '../jobs/job-row.ts'
import { openQuotaPeriods } from '../plans/quota-sql.ts'

export const NOW = new Date('2026-11-21T12:00:00.000Z')
export const PERIODS = { day: '2026-11-21', month: '2026-11-01' }

/** Builds a job of a new user without a quota. */
export const newJob = (overrides: Partial<NewJob> = {}): NewJob => ({
  id: randomUUID(),
  userId: randomUUID(),
  apiKeyId: null,
  lane: 'normal',
  priority: 'normal',
  videoId: 'dQw4w9WgXcQ',
  options: {
    summary_modes: ['tldr'],
    max_transcript_length: 10_000_000,
    include_comments: false,
    generate_infographic: false,
  },
  customInstructions: null,
  useProxy: null,
  forceRefresh: false,
  webhookUrl: null,
  serviceName: null,
  agentName: null,
  clientReference: null,
  quota: null,
  ...overrides,
})

/** Stores a job, which the sweep may wake after `wakeSeconds`. */
export async function storeJob(db: Db, overrides: Partial<NewJob> = {}, wakeSeconds = 60): Promise<NewJob> {
  const job = newJob(overrides)
  if (job.quota) await openQuotaPeriods(db, [job.userId], PERIODS)
  await acceptJobs(db, [job], { periods: PERIODS, now: new Date(), wakeSeconds })
  return job
}

/** Claims a job for a minute. Returns null if it cannot be claimed. */
export async function claimJob(
  sql: Sql,
  lease: Lease,
  options: Partial<ClaimOptions> = {},
): Promise<ClaimedRow | null> {
  const [outcome] = await claimJobs(sql, [lease], { leaseSeconds: 60, ...options })
  return outcome && 'claimed' in outcome ? outcome.claimed : null
}

/** Holds a job back, as if its account had its share of the lane. Returns null if it is held already or not claimable. */
export async function holdJob(sql: Sql, jobId: string): Promise<HeldJob | null> {
  const options = { leaseSeconds: 60, share: 0, hold: true }
  const [outcome] = await claimJobs(sql, [{ jobId, token: randomUUID() }], options)
  return outcome && 'held' in outcome ? outcome.held : null
}

/** Stores a job and claims it. */
export async function claimStoredJob(
  db: Db,
  overrides: Partial<NewJob> = {},
  leaseSeconds = 60,
): Promise<{ job: Job; lease: Lease }> {
  const { id } = await storeJob(db, overrides)
  const lease = { jobId: id, token: randomUUID() }
  const job = await claimJob(db, lease, { leaseSeconds })
  if (!job) throw new Error('A new job could not be claimed.')
  return { job, lease }
}
