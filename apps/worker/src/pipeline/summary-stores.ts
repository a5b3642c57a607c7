import type { Spending } from '@subtext/contracts'
import { type FlightLease, type LeaseRequest, notify, retryThroughOutage } from '@subtext/core/coordination'
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
import { v7 as newId } from 'uuid'
import { oldestReusable, type SummarySubject } from './summary-keys.ts'

/** Everything that a job has and has paid for. */
export interface ListedWork extends JobWork {
  /** What the statement that ends the job has to store. Null if all is stored. */
  unsaved: UnsavedWork | null
}

/** Adds summaries to a job. */
export interface SummaryStore {
  /** Adds summaries that were written before. */
  reuse(stored: StoredChoice[]): Promise<void>
  /** Adds a summary that was written for the job. `lease`: that of the writing, if this is its last summary. */
  save(summary: NewSummary, lease: FlightLease | null): Promise<void>
  /** Adds what the job paid for besides its summaries. It is stored at once. */
  saveSpending(spending: Spending): Promise<void>
  /** Returns everything that the job has and has paid for. `lease`: that of the writing, which ends. */
  list(lease: FlightLease | null): Promise<ListedWork>
}

interface StoreOptions extends SummarySubject {
  signal: AbortSignal
}

const toOwn = ({ cacheKey: _, ...summary }: NewSummary): JobSummary => ({ ...summary, reused: false })

async function storeSpending({ ctx, job, signal }: StoreOptions, spending: Spending): Promise<void> {
  const entry = { ...spending, id: newId(), jobId: job.id }
  await retryThroughOutage(signal, () => addJobSpending(ctx.db, entry))
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
      if (stored.length === 0) return
      const chosen = stored.map(({ summary: { id, mode } }) => ({ id, mode }))
      const added = await addStoredSummaries(ctx.db, job.id, chosen)
      work = work && added.summaries.length === chosen.length ? added : null
      notify(ctx, 'progress', job.id)
    },
    async save(summary, lease) {
      const save = (held?: LeaseRequest) =>
        retryThroughOutage(signal, () => saveJobSummary(ctx.db, job.id, summary, oldestReusable(options), held))
      // Once the last one is stored, other jobs need not wait for this one.
      const isAdded = await (lease ? lease.endWith(save) : save())
      if (isAdded) work?.summaries.push(toOwn(summary))
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
