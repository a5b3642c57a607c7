import { type ClaimOptions, claimJobs, isDatabaseUnavailable } from '@subtext/db'
import DataLoader from 'dataloader'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { type ClaimedJob, claimJobById, toClaimed } from './claim.ts'

const MAX_JOBS_PER_STATEMENT = 50

/**
 * Returns a function that claims a job like `claimJobById`, in one statement with the other jobs whose tasks arrive in the same
 * turn of the event loop, such as those of slots whose jobs ended together. A job that the statement leaves out is claimed alone.
 * So is each job if the statement is refused, so that only the one that caused the refusal is affected.
 */
export function createJointClaim(
  ctx: Pick<Context, 'db'>,
  readOptions: () => ClaimOptions,
): (jobId: string) => Promise<ClaimedJob | null> {
  const loader = new DataLoader<string, ClaimedJob | null>((jobIds) => claimAll(ctx, jobIds, readOptions()), {
    cache: false,
    maxBatchSize: MAX_JOBS_PER_STATEMENT,
    batchScheduleFn: setImmediate,
  })
  return async (jobId) => {
    const claimed = await loader.load(jobId)
    if (claimed) return claimed
    const { leaseSeconds, notBefore } = readOptions()
    return claimJobById(ctx, jobId, leaseSeconds, notBefore)
  }
}

async function claimAll(
  { db }: Pick<Context, 'db'>,
  jobIds: readonly string[],
  options: ClaimOptions,
): Promise<(ClaimedJob | null)[]> {
  const leaveOut = jobIds.map(() => null)
  if (jobIds.length === 1) return leaveOut
  const leases = jobIds.map((jobId) => ({ jobId, token: randomId() }))
  try {
    const rows = await claimJobs(db, leases, options)
    return leases.map((lease, nth) => toClaimed(rows[nth] ?? null, lease))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return leaveOut
  }
}
