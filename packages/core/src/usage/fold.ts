import type { Context } from '../context.ts'
import { orAlone, type Roles, runInRole } from '../coordination/run-in-role.ts'
import { foldUsageAdditions } from './additions-sql.ts'

const ADDITIONS_PER_STATEMENT = 5_000
/** Limits one call after an outage. The next one continues. */
const MAX_STATEMENTS = 20

/**
 * Adds the usage that jobs have appended to the sums of their accounts, and returns the number of additions. Call it every
 * second in every worker: one of them does it for all. Without Redis, all of them try, and the database lets one at a time
 * through.
 */
export function foldUsage({ db, producer }: Pick<Context, 'db'> & { producer: Roles }): Promise<number> {
  return runInRole(orAlone(producer), 'fold', async () => {
    let folded = 0
    for (let nth = 0; nth < MAX_STATEMENTS; nth++) {
      const count = await foldUsageAdditions(db, ADDITIONS_PER_STATEMENT)
      folded += count
      if (count < ADDITIONS_PER_STATEMENT) break
    }
    return folded
  })
}
