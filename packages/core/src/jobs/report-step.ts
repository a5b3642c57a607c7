import type { JobStep } from '@subtext/contracts'
import type { Context } from '../context.ts'
import type { Lease } from './job-row.ts'
import { LeaseLostError } from './keep-lease.ts'
import { type ProgressReport, reportProgress } from './report-step-sql.ts'
import { createRequestCount, type RequestCount } from './request-count.ts'

type ReportContext = Pick<Context, 'db' | 'notifier' | 'log'>

/**
 * Stores the current step, the progress in percent and, once it is known, the title of the video for the owner to see. Throws
 * `LeaseLostError` when the lease is lost.
 */
export async function reportStep(
  ctx: Pick<Context, 'db' | 'notifier'>,
  lease: Lease,
  step: JobStep,
  progress: number,
  videoTitle?: string,
): Promise<void> {
  await storeReport(ctx, lease, { step, progress, videoTitle })
}

async function storeReport(ctx: Pick<Context, 'db' | 'notifier'>, lease: Lease, report: ProgressReport): Promise<void> {
  if (!(await reportProgress(ctx.db, lease, report))) throw new LeaseLostError()
  ctx.notifier.publish('progress', lease.jobId).catch(() => {}) // Followers of the job also poll.
}

/** Steps that follow each other within this time are not stored one by one. */
const QUIET_MS = 1_000

/** Reports of a worker about a job. The owner sees those that last long enough to be stored. */
export interface StepReporter {
  /**
   * Reports a step like `reportStep`, to be stored together with those of the next second. Throws
   * `LeaseLostError` if storing an earlier one has shown that the lease is lost.
   */
  report(step: JobStep, progress: number, videoTitle?: string): void
  /** Stores reports that are not stored yet. */
  flush(): Promise<void>
  /** Discards reports that are not stored yet, because the end of the job replaces them. */
  close(): void
}

/** `requests`: those to the platform, which are reported along with the steps. */
export function createStepReporter(
  ctx: ReportContext,
  lease: Lease,
  requests: Pick<RequestCount, 'report'> = createRequestCount(),
): StepReporter {
  let waiting: ProgressReport | undefined
  let timer: NodeJS.Timeout | undefined
  let lost: LeaseLostError | undefined
  let storing = Promise.resolve()

  const storeWaiting = async (): Promise<void> => {
    const report = waiting
    waiting = undefined
    if (!report) return
    try {
      await requests.report((platformRequests) => storeReport(ctx, lease, { ...report, platformRequests }))
    } catch (error) {
      if (error instanceof LeaseLostError) lost = error
      else waiting ??= report
      throw error
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const stored = storing.then(storeWaiting)
    storing = stored.catch(() => {}) // reported to the caller
    return stored
  }
  return {
    report(step, progress, videoTitle) {
      if (lost) throw lost
      waiting = { step, progress, videoTitle: videoTitle ?? waiting?.videoTitle }
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => {
          // The next write meets the same cause, and stores this report too.
          if (!lost) ctx.log.warn('progress not stored', { error: (error as Error).message })
        })
      }, QUIET_MS).unref()
    },
    flush,
    close() {
      clearTimeout(timer)
      waiting = undefined
    },
  }
}
