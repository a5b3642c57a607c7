import type { Context } from '../context.ts'
import { deleteEndedLeases } from './leases-sql.ts'
import { orAlone, type Roles, runInRole } from './run-in-role.ts'

/** Far more leases than end between two calls. */
const LEASES_PER_STATEMENT = 20_000

/**
 * Deletes the leases that ended a while ago, and returns how many. Every job leaves some, so call it every few seconds in
 * every worker: one of them does it for all.
 */
export const purgeLeases = ({ db, producer }: Pick<Context, 'db'> & { producer: Roles }): Promise<number> =>
  runInRole(orAlone(producer), 'leases', () => deleteEndedLeases(db, LEASES_PER_STATEMENT))
