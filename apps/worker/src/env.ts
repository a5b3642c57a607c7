import { BlobEnv } from '@subtext/blobs'
import { LANES } from '@subtext/contracts'
import { planQuotas } from '@subtext/core/plans'
import type { RetentionPolicy } from '@subtext/core/retention'
import { ModelEnv, requireModelSettings } from '@subtext/llm/settings'
import {
  CommonEnv,
  count,
  findFormerNames,
  flag,
  httpUrl,
  infographicsEnabled,
  list,
  loadEnv,
  PublicEnv,
  sampleVideos,
  schedule,
  webhookAllowPrivate,
} from '@subtext/runtime'
import { clientList, DEFAULT_CLIENTS } from '@subtext/youtube'
import { z } from 'zod'

const RetentionShape = {
  RETENTION_RESULTS_DAYS: count(0, 0, 36_500).describe(
    'Days after which finished jobs and their results are deleted; 0: never.',
  ),
  RETENTION_CACHE_DAYS: count(0, 0, 36_500).describe(
    'Days after which transcripts and summaries without a result, and notes on transcripts, are deleted; 0: never.',
  ),
  RETENTION_WEBHOOKS_DAYS: count(30, 0, 36_500).describe(
    'Days after which webhook events are deleted once their deliveries have ended; 0: together with their jobs.',
  ),
}

const SettableWorkerEnv = CommonEnv.extend({
  WORKER_CONCURRENCY: count(8, 1, 500).describe(
    'Maximum number of jobs that a worker runs at once. High-priority jobs may exceed it until a slot lent to the normal lane is free.',
  ),
  WORKER_LANES: list
    .pipe(z.array(z.enum(LANES)).min(1))
    .prefault('high,normal')
    .describe('Lanes that a worker serves, separated by commas.'),
  SOURCE_CONCURRENCY: count(2, 0, 50).describe(
    'Maximum number of playlists and channels that a worker lists at once, beside its jobs; 0: none.',
  ),
  SOURCE_CHECK_MINUTES: z.coerce
    .number()
    .positive()
    .max(1_440)
    .default(60)
    .describe(
      'Minutes between two looks at a playlist or channel that subscriptions follow. At least 15, except in development, with WEBHOOK_ALLOW_PRIVATE.',
    ),
  SOURCE_RETRY_SCHEDULE: schedule
    .prefault('30m,1h,2h,4h,8h,16h,24h')
    .describe('Delays before a premiere, a live stream or a video without captions is tried again for a subscription.'),
  WEBHOOK_ALLOW_PRIVATE: webhookAllowPrivate,
  PLAN_QUOTAS: planQuotas,
  ACCOUNT_MAX_RUNNING: count(5, 1, 10_000).describe(
    'Maximum number of running jobs of an account in a lane while other accounts wait. Slots that would otherwise be idle do not count.',
  ),
  JOB_LEASE_SECONDS: count(15, 2, 600).describe(
    'Seconds after which another worker takes over the job of a worker that died.',
  ),
  JOB_TIMEOUT_SECONDS: count(900, 10, 86_400).describe('Timeout of an attempt at a job, in seconds.'),
  JOB_RETRY_SCHEDULE: schedule.prefault('2s,10s,30s').describe('Delays before further attempts at a job.'),
  JOB_MAX_WAIT_SECONDS: count(3_600, 0, 86_400).describe(
    'Maximum time in seconds that a job waits, without using up its attempts, while the video platform refuses requests through every egress. If 0, such jobs are retried by JOB_RETRY_SCHEDULE.',
  ),
  ...RetentionShape,
  PURGE_IN_WORKERS: flag(true).describe(
    'Whether workers delete expired data every minute. Set it to false if the `purge` command does so on a schedule.',
  ),
  ...ModelEnv.shape,
  YOUTUBE_ORIGIN: httpUrl.optional().describe('Origin that receives every request meant for the video platform.'),
  SAMPLE_VIDEOS: sampleVideos,
  ...BlobEnv.shape,
  INFOGRAPHICS_ENABLED: infographicsEnabled,
  ...PublicEnv.shape,
  PROXY_URLS: list.pipe(z.array(httpUrl)).optional().describe('Proxies to the video platform, separated by commas.'),
  YOUTUBE_CLIENTS: clientList
    .prefault(DEFAULT_CLIENTS)
    .describe(
      'Apps that requests to the video platform identify as, in order of preference, each with an optional version.',
    ),
  BLOCKED_EGRESS_REST_SECONDS: count(30, 1, 900).describe(
    'Seconds for which a blocked egress to the video platform rests; doubled each time, up to 15 minutes.',
  ),
  PO_TOKEN_ORIGIN: httpUrl
    .optional()
    .describe('Origin of a bgutil token provider, which the app WEB needs. If unset, WEB is not used.'),
})

const MIN_CHECK_MINUTES = 15

export const WorkerEnv = requireModelSettings(SettableWorkerEnv).superRefine(
  ({ SOURCE_CHECK_MINUTES: minutes, WEBHOOK_ALLOW_PRIVATE: isDevelopment }, { addIssue }) => {
    if (minutes >= MIN_CHECK_MINUTES || isDevelopment) return
    addIssue({
      code: 'custom',
      path: ['SOURCE_CHECK_MINUTES'],
      message: `Must be at least ${MIN_CHECK_MINUTES}. In development, with WEBHOOK_ALLOW_PRIVATE=true, it can be less.`,
    })
  },
)
export type WorkerEnv = z.output<typeof WorkerEnv>

/** Settings of the way to the video platform. */
export const PlatformEnv = SettableWorkerEnv.pick({
  YOUTUBE_ORIGIN: true,
  SAMPLE_VIDEOS: true,
  PROXY_URLS: true,
  YOUTUBE_CLIENTS: true,
  PO_TOKEN_ORIGIN: true,
})

/** Reads the settings of the video platform, for commands that need no others. */
export const readPlatformEnv = (): z.output<typeof PlatformEnv> => loadEnv(PlatformEnv, process.env)

/** Returns the script that npm runs, if it does. */
export const readRunningScript = (): string | undefined => process.env.npm_lifecycle_event

/** Settings of the command `purge`. */
const PurgeEnv = SettableWorkerEnv.pick({
  DATABASE_URL: true,
  RETENTION_RESULTS_DAYS: true,
  RETENTION_CACHE_DAYS: true,
  RETENTION_WEBHOOKS_DAYS: true,
})
type PurgeEnv = z.output<typeof PurgeEnv>

export const readPurgeEnv = (): PurgeEnv => loadEnv(PurgeEnv, process.env)

export const selectRetention = (env: Omit<PurgeEnv, 'DATABASE_URL'>): RetentionPolicy => ({
  resultsDays: env.RETENTION_RESULTS_DAYS,
  cacheDays: env.RETENTION_CACHE_DAYS,
  webhooksDays: env.RETENTION_WEBHOOKS_DAYS,
})

export const readEnv = (): WorkerEnv => loadEnv(WorkerEnv, process.env)

/** Returns the former names of settings that are in use. */
export const readFormerNames = (): ReturnType<typeof findFormerNames> => findFormerNames(process.env)
