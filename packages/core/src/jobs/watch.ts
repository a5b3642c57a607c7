import type { Db } from '@subtext/db'
import { type FollowedJob, findChangedJobs } from './find-sql.ts'

/** How long a lost notification can delay an answer. */
export const POLL_INTERVAL_MS = 2_000
const MAX_JOBS_PER_STATEMENT = 1_000

/** Looks for changes of a job, which notifications may have failed to announce. */
export interface JobWatch {
  /** Starts looking for changes after this read of the job, instead of after the previous one. */
  lookAfter(followed: FollowedJob): void
  stop(): void
}

interface Watched {
  jobId: string
  state: string
  onChange: () => void
}

/** Returns a watch that calls `onChange` within seconds of a change. */
export type WatchJob = (onChange: () => void) => JobWatch

/** Creates the function that watches jobs. All its watches share one statement. */
export function createJobWatcher(db: Db): WatchJob {
  const all = new Set<Watched>()
  let isLooking = false

  const lookAt = async (some: Watched[]): Promise<void> => {
    // If it fails, each of them reads its job and deals with the error.
    const changed = await findChangedJobs(db, some).catch(() => some.keys())
    for (const position of changed) some[position]?.onChange()
  }
  const look = async (): Promise<void> => {
    const watched = [...all]
    for (let at = 0; at < watched.length; at += MAX_JOBS_PER_STATEMENT) {
      await lookAt(watched.slice(at, at + MAX_JOBS_PER_STATEMENT))
    }
    isLooking = all.size > 0
    if (isLooking) lookLater()
  }
  const lookLater = (): unknown => setTimeout(look, POLL_INTERVAL_MS).unref()

  return (onChange) => {
    let watched: Watched | undefined
    const stop = (): void => {
      if (watched) all.delete(watched)
    }
    return {
      lookAfter({ job, state }) {
        stop()
        watched = { jobId: job.id, state, onChange }
        all.add(watched)
        if (isLooking) return
        isLooking = true
        lookLater()
      },
      stop,
    }
  }
}
