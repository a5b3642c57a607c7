import {
  type CompletedJob,
  completeClaimedJob,
  completeClaimedJobs,
  type Db,
  isDatabaseUnavailable,
  type JoinedCompletion,
} from '@subtext/db'
import { createSemaphore } from '@subtext/runtime'
import DataLoader from 'dataloader'

/**
 * Jobs that end within this time of each other end in one statement. The next tasks of their slots then come together too, which
 * saves about as much again.
 */
const GATHER_MS = 10
/** A job that ends this long after the one before does not wait for others. */
const BURST_MS = 250
/** Statements that run at once; jobs that end meanwhile share the next one. */
const MAX_STATEMENTS = 1
const MAX_JOBS_PER_STATEMENT = 50

/** Null for a job that the statement has left out. */
type Loader = DataLoader<JoinedCompletion, CompletedJob | null>
const loaders = new WeakMap<Db, Loader>()

/**
 * Completes a job without an event and a file, like `completeClaimedJob`, in one statement with other jobs of this process that
 * end at the same time. A job that the statement leaves out, such as one that its owner is cancelling, is completed alone. So is
 * each job if the statement is refused, so that only the one that caused the refusal is affected.
 */
export async function completeTogether(db: Db, completion: JoinedCompletion): Promise<CompletedJob | null> {
  const loader = loaders.get(db) ?? createLoader(db)
  loaders.set(db, loader)
  const { lease, ...alone } = completion
  return (await loader.load(completion)) ?? completeClaimedJob(db, lease, { ...alone, event: null })
}

function createLoader(db: Db): Loader {
  const statements = createSemaphore(MAX_STATEMENTS)
  let lastAt = Number.NEGATIVE_INFINITY
  return new DataLoader<JoinedCompletion, CompletedJob | null>(
    (completions) => completeAll(db, completions).finally(statements.release),
    {
      cache: false,
      maxBatchSize: MAX_JOBS_PER_STATEMENT,
      batchScheduleFn(dispatch) {
        const isBurst = performance.now() - lastAt < BURST_MS
        lastAt = performance.now()
        setTimeout(() => statements.acquire().then(dispatch), isBurst ? GATHER_MS : 0)
      },
    },
  )
}

async function completeAll(db: Db, completions: readonly JoinedCompletion[]): Promise<(CompletedJob | null)[]> {
  const leaveOut = completions.map(() => null)
  if (completions.length === 1) return leaveOut
  return completeClaimedJobs(db, completions).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error
    return leaveOut
  })
}
