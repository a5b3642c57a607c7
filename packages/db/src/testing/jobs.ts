import { randomUUID } from 'node:crypto'
import type { Db } from '../client.ts'
import { claimJob, type Job, type Lease } from '../stores/jobs.ts'
import { acceptJobs, type NewJob } from '../stores/submissions.ts'

export const NOW = new Date('2026-11-21T12:00:00.000Z')
export const PERIODS = { day: '2026-11-21', month: '2026-11-01' }

/** A job of a new user without a quota, unless `terms` say otherwise. */
export const newJob = (terms: Partial<NewJob> = {}): NewJob => ({
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
  ...terms,
})

/** A job in the store, due for the sweeper `wakeSeconds` from now. */
export async function storeJob(db: Db, terms: Partial<NewJob> = {}, wakeSeconds = 60): Promise<NewJob> {
  const job = newJob(terms)
  await acceptJobs(db, [job], PERIODS, new Date(), wakeSeconds)
  return job
}

/** A job in the store with a worker that has just claimed it. */
export async function claimStoredJob(
  db: Db,
  terms: Partial<NewJob> = {},
  leaseSeconds = 60,
): Promise<{ job: Job; lease: Lease }> {
  const { id } = await storeJob(db, terms)
  const lease = { jobId: id, token: randomUUID() }
  const job = await claimJob(db, lease, leaseSeconds)
  if (!job) throw new Error('A new job could not be claimed.')
  return { job, lease }
}
