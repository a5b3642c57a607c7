import type { Spending, SummaryMode } from '@subtext/contracts'
import { type FlightLease, type LeaseRequest, notify, retryThroughOutage } from '@subtext/core/coordination'
import { chargeShared, listCounters, recordCharged } from '@subtext/core/spending'
import {
  addJobSpending,
  addStoredSummaries,
  byMode,
  type JobSummary,
  type JobWork,
  listJobWork,
  type NewSummary,
  type StoredChoice,
  saveJobSummary,
  type UnsavedWork,
} from '@subtext/core/summaries'
import { buildUsage } from '@subtext/core/usage'
import { v7 as newId } from 'uuid'
import { oldestReusable, type SummarySubject, spendingSubjectOf } from './summary-keys.ts'

/** Everything that a job has and has paid for. */
export interface ListedWork extends JobWork {
  /** What the statement that ends the job has to store. Null if all is stored. */
  unsaved: UnsavedWork | null
}

/** Adds summaries to a job. */
export interface SummaryStore {
  /** Adds summaries that were written before. Returns the modes of those whose cost does not fit into a spending limit. */
  reuse(stored: StoredChoice[]): Promise<SummaryMode[]>
  /** Adds a summary that was written for the job. `lease`: that of the writing, if this is its last summary. */
  save(summary: NewSummary, lease: FlightLease | null): Promise<void>
  /** Adds what the job paid for besides its summaries. It is stored at once. */
  saveSpending(spending: Spending): Promise<void>
  /** Returns everything that the job has and has paid for. `lease`: that of the writing, which ends. */
  list(lease: FlightLease | null): Promise<ListedWork>
}

/**
 * Returns whether the job is charged for a summary that it reuses, by the rule that `buildUsage` states. Such a summary is added at
 * once, so that the next job of this account is not charged again.
 */
export const isCharged = ({ isOwn, hasSpendings, summary: { usage } }: StoredChoice): boolean =>
  !isOwn && (hasSpendings || Object.values(usage).some((amount) => amount > 0))

interface StoreOptions extends SummarySubject {
  signal: AbortSignal
}

const toOwn = ({ cacheKey: _, ...summary }: NewSummary): JobSummary => ({ ...summary, reused: false })

/** Stores what a job pays for besides its summaries, waiting out database outages, and charges the reservation of the call. */
export async function storeSpending(
  { ctx, job, signal }: Pick<StoreOptions, 'ctx' | 'job' | 'signal'>,
  spending: Spending,
): Promise<void> {
  const entry = { ...spending, id: newId(), jobId: job.id }
  await retryThroughOutage(signal, () =>
    recordCharged(ctx.db, spending.usage, async (sql) => ((await addJobSpending(sql, entry)) ? spending.usage : null)),
  )
}

/** Thrown to undo the addition of a summary. */
class OverLimitError extends Error {}

/**
 * Adds a summary that another account has paid for, and counts its cost toward the limits of this one. The operator's limit is not
 * among them, because nothing is paid again. Returns null if the cost does not fit.
 */
async function addShared({ ctx, job }: StoreOptions, { summary: { id, mode } }: StoredChoice): Promise<JobWork | null> {
  try {
    return await ctx.db.transaction(async (sql) => {
      const added = await addStoredSummaries(sql, job.id, [{ id, mode }])
      const { cost_usd: amountUsd } = buildUsage(added.summaries, added.spendings)
      if (amountUsd > 0) {
        const counters = listCounters(spendingSubjectOf(job), ctx.clock(), null).filter(({ scope }) => scope !== 'day')
        const { outcome } = await chargeShared(sql, { userId: job.userId, counters, amountUsd })
        if (outcome !== 'reserved') throw new OverLimitError()
      }
      return added
    })
  } catch (error) {
    if (error instanceof OverLimitError) return null
    throw error
  }
}

/**
 * Creates a store that leaves all summaries to the statement that ends the job. What is lost if the job does not end must have
 * cost nothing.
 */
export function storeWithEnd(options: StoreOptions): SummaryStore {
  const unsaved: UnsavedWork = { written: [], reused: [] }
  const summaries: JobSummary[] = []
  const spendings: Spending[] = []
  return {
    async reuse(stored) {
      unsaved.reused.push(...stored)
      summaries.push(...stored.map(({ summary, isOwn }) => ({ ...summary, reused: isOwn })))
      return []
    },
    async save(summary) {
      unsaved.written.push(summary)
      summaries.push(toOwn(summary))
    },
    async saveSpending(spending) {
      await storeSpending(options, spending)
      spendings.push(spending)
    },
    list: async () => ({ summaries: summaries.toSorted(byMode), spendings, unsaved }),
  }
}

/**
 * Creates a store that stores everything at once, waiting out database outages, because what was paid for must not be lost.
 * `hasWork`: whether the job has or has paid for anything.
 */
export function storeNow(options: StoreOptions, hasWork: boolean): SummaryStore {
  const { ctx, job, signal } = options
  // Null if another attempt at the job added some of its work, so that it has to be read from the store.
  let work: JobWork | null = hasWork ? null : { summaries: [], spendings: [] }
  return {
    async reuse(stored) {
      const overLimit: SummaryMode[] = []
      const add = (added: JobWork | null, count: number): void => {
        if (work && added?.summaries.length === count) {
          work = {
            summaries: [...work.summaries, ...added.summaries],
            spendings: [...work.spendings, ...added.spendings],
          }
        } else work = null
      }
      const free = stored.filter((choice) => !isCharged(choice))
      const chosen = free.map(({ summary: { id, mode } }) => ({ id, mode }))
      if (free.length > 0) add(await addStoredSummaries(ctx.db, job.id, chosen), free.length)
      for (const choice of stored.filter(isCharged)) {
        const added = await addShared(options, choice)
        if (added) add(added, 1)
        else overLimit.push(choice.summary.mode)
      }
      if (stored.length > overLimit.length) notify(ctx, 'progress', job.id)
      return overLimit
    },
    async save(summary, lease) {
      const save = (held?: LeaseRequest) =>
        retryThroughOutage(signal, () =>
          recordCharged(ctx.db, summary.usage, (sql) =>
            saveJobSummary(sql, job.id, summary, oldestReusable(options), held),
          ),
        )
      // Once the last one is stored, other jobs need not wait for this one.
      const added = await (lease ? lease.endWith(save) : save())
      if (added?.id === summary.id) work?.summaries.push(toOwn(summary))
      else work = null
      // Progress is announced once a second. Nobody should wait that long for a summary.
      notify(ctx, 'progress', job.id)
    },
    async saveSpending(spending) {
      await storeSpending(options, spending)
      work?.spendings.push(spending)
    },
    async list(lease) {
      if (work && work.summaries.length >= job.options.summary_modes.length)
        return { ...work, summaries: work.summaries.toSorted(byMode), unsaved: null }
      // Some modes are missing, or a worker that held the job before has added its own summaries.
      const list = (held?: LeaseRequest) => listJobWork(ctx.db, job.id, held)
      return { ...(await (lease ? lease.endWith(list) : list())), unsaved: null }
    },
  }
}
