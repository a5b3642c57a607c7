import { createBlobMonitor } from '@subtext/blobs'
import { CHECK_METHODS, JOB_STEPS, type JobStep, LANES, type Lane } from '@subtext/contracts'
import { createDatabaseMetrics, createLossCounter, createSpendingCounter } from '@subtext/core/metrics'
import { createRenderMetrics } from '@subtext/documents'
import { createModelMetrics } from '@subtext/llm'
import { createModelSlotMetrics, type LaneCapacity } from '@subtext/queue'
import { createProcessMetrics, LONG_SECONDS, type Metrics } from '@subtext/runtime'
import { createUnusableCounter } from '@subtext/summarize'
import { createPlatformMetrics } from '@subtext/youtube'

/** Outcomes of an attempt at a job. */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'failed',
  'postponed',
  'waiting',
  'handed_back',
  'lease_lost',
  'cancelled',
] as const
export type JobAttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/** Receives what happens to jobs. Durations are in seconds. */
export interface JobMetrics {
  attemptEnded(labels: { lane: Lane; outcome: JobAttemptOutcome }, seconds: number): void
  /** Called when a job starts for the first time. */
  waited(labels: { lane: Lane }, seconds: number): void
  stepEnded(labels: { step: JobStep }, seconds: number): void
  /** Called when a job is taken over from a worker that died. */
  tookOver(labels: { lane: Lane }): void
}

export function createJobMetrics(metrics: Metrics): JobMetrics {
  const takeovers = metrics.counter('subtext_job_takeovers_total', 'Jobs taken over from a worker that died.', {
    lane: LANES,
  })
  return {
    attemptEnded: metrics.duration(
      'subtext_job_seconds',
      'Duration of attempts. `postponed` is tried again, `waiting` waits for the video platform, `handed_back` was returned by a worker that stopped or had no capacity for it, `lease_lost` was taken over by another worker.',
      { lane: LANES, outcome: ATTEMPT_OUTCOMES },
      LONG_SECONDS,
    ),
    waited: metrics.duration(
      'subtext_job_wait_seconds',
      'Time from the acceptance of a job to its first start.',
      { lane: LANES },
      LONG_SECONDS,
    ),
    stepEnded: metrics.duration(
      'subtext_job_step_seconds',
      'Duration of the steps of attempts, finished or not.',
      { step: JOB_STEPS.filter((step) => !['queued', 'completed', 'failed'].includes(step)) },
      LONG_SECONDS,
    ),
    tookOver: (labels) => takeovers(labels),
  }
}

/** Called after each round of a loop that wakes jobs, with the number of jobs woken. */
export type CountWoken = (labels: { loop: 'wake' | 'sweep' }, jobs: number) => void

/** Outcomes of a try to list a source. `led`: a name or a moved channel led to another source. */
export const LISTING_OUTCOMES = [
  'listed',
  'led',
  'gone',
  'failed',
  'postponed',
  'waiting',
  'handed_back',
  'lease_lost',
] as const
export type ListingOutcome = (typeof LISTING_OUTCOMES)[number]
const DIGEST_OUTCOMES = ['completed', 'failed', 'postponed', 'handed_back', 'lease_lost'] as const
export type DigestOutcome = (typeof DIGEST_OUTCOMES)[number]
/** Called when a try at a digest has ended, with its seconds. */
export type DigestEnded = (labels: { outcome: DigestOutcome }, seconds: number) => void

/** Called after each try to list a source, with its duration. */
export type ListingEnded = (
  labels: { kind: 'playlist' | 'channel' | 'name' | 'podcast'; outcome: ListingOutcome },
  seconds: number,
) => void

/** What becomes of an item when it is worked on. `submitted`: its job was accepted. */
export const ITEM_STEPS = ['submitted', 'processed', 'notified', 'skipped', 'waiting', 'failed'] as const
/** Called after each step of an item of a subscription. */
export type ItemWorked = (labels: { state: (typeof ITEM_STEPS)[number] }) => void
/** Called after each check of a source. */
export type CheckEnded = (labels: { method: (typeof CHECK_METHODS)[number]; outcome: 'ok' | 'failed' }) => void

/** Outcomes of making an infographic. `empty`: the transcript has nothing to show. */
export const INFOGRAPHIC_OUTCOMES = ['made', 'empty', 'failed'] as const
export type CountInfographic = (labels: { outcome: (typeof INFOGRAPHIC_OUTCOMES)[number] }) => void

/** Outcomes of filling a template. */
export const EXTRACTION_OUTCOMES = ['filled', 'invalid', 'model_required', 'over_limit', 'failed'] as const
export type CountExtraction = (labels: { outcome: (typeof EXTRACTION_OUTCOMES)[number] }) => void

/** Creates all metrics of a worker. */
export function createWorkerMetrics(metrics: Metrics) {
  const slots = metrics.gauge(
    'subtext_worker_slots',
    'Slots of the worker by lane. Slots lent to the normal lane count there.',
    {
      lane: LANES,
      state: ['busy', 'free'],
    },
  )
  return {
    process: createProcessMetrics(metrics),
    jobs: createJobMetrics(metrics),
    observeSlots(capacities: () => [Lane, LaneCapacity][]) {
      slots(async () =>
        capacities().flatMap(([lane, { slots, free }]) => [
          [{ lane, state: 'busy' }, slots - free],
          [{ lane, state: 'free' }, Math.max(0, free)],
        ]),
      )
    },
    countWoken: metrics.counter(
      'subtext_jobs_woken_total',
      'Jobs that a worker woke again: `sweep` those that are due although no task is left for them in Redis, `wake` those held back for others of their account.',
      { loop: ['wake', 'sweep'] },
    ) satisfies CountWoken,
    digestEnded: metrics.duration('subtext_digest_seconds', 'Time of a try at a digest, by its outcome.', {
      outcome: DIGEST_OUTCOMES,
    }) satisfies DigestEnded,
    listingEnded: metrics.duration(
      'subtext_source_listing_seconds',
      'Duration of tries to list a playlist or a channel, or to resolve a name. `led` found another source to list, `gone` is what the platform does not have, `postponed` is tried again, `waiting` waits for the video platform.',
      { kind: ['playlist', 'channel', 'name', 'podcast'], outcome: LISTING_OUTCOMES },
      LONG_SECONDS,
    ) satisfies ListingEnded,
    checkEnded: metrics.counter(
      'subtext_source_checks_total',
      'Checks of sources for subscriptions, by how they were looked at.',
      { method: CHECK_METHODS, outcome: ['ok', 'failed'] },
    ) satisfies CheckEnded,
    itemWorked: metrics.counter(
      'subtext_subscription_items_total',
      'Steps of items of subscriptions. `submitted` is a job that was accepted, `waiting` is tried again.',
      { state: ITEM_STEPS },
    ) satisfies ItemWorked,
    countInfographic: metrics.counter('subtext_infographics_total', 'Infographics of jobs, by outcome.', {
      outcome: INFOGRAPHIC_OUTCOMES,
    }) satisfies CountInfographic,
    countSpendingRefused: createSpendingCounter(metrics),
    countExtraction: metrics.counter(
      'subtext_extractions_total',
      'Templates of jobs, by outcome. `invalid`: what the lines carry does not make up what the schema requires. `over_limit`: the cost does not fit into a spending limit. `failed`: the language model did not fill it.',
      { outcome: EXTRACTION_OUTCOMES },
    ) satisfies CountExtraction,
    countLost: createLossCounter(metrics),
    database: createDatabaseMetrics(metrics),
    renders: createRenderMetrics(metrics),
    blobs: createBlobMonitor(metrics),
    platform: createPlatformMetrics(metrics),
    model: createModelMetrics(metrics),
    countUnusable: createUnusableCounter(metrics),
    observeModelSlots: createModelSlotMetrics(metrics),
  }
}
export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>
