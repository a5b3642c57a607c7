import type { Sql } from '@subtext/db'

/** A request for the exclusive right to do something for a while, identified by a token. */
export interface LeaseRequest {
  key: string
  token: string
  seconds: number
}

/** The parameters of `acquireIf`, starting with `$1`. */
export const leaseValues = ({ key, token, seconds }: LeaseRequest): unknown[] => [key, token, seconds]

/**
 * The part of a statement that acquires or extends a lease if `condition` holds and no other holder has it. It has a row
 * if the lease was acquired.
 */
export const acquireIf = (condition: string): string => `
INSERT INTO leases (key, token, until) SELECT $1, $2, now() + make_interval(secs => $3) WHERE ${condition}
ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until, taken_over = true
WHERE leases.until < now() OR leases.token = excluded.token
RETURNING taken_over`

/**
 * - `new`: acquired, and nobody had it shortly before. What the acquiring statement has not found does not exist.
 * - `taken over`: acquired after another holder, or again. The other one may have stored a result that the statement could
 *   not see, so look again.
 * - `held`: another holder has it.
 */
export type LeaseOutcome = 'new' | 'taken over' | 'held'

/** Reads the column `taken_over` of the row of `acquireIf`, or its absence. */
export const toLeaseOutcome = (takenOver: boolean | null | undefined): LeaseOutcome =>
  takenOver === true ? 'taken over' : takenOver === false ? 'new' : 'held'

const ACQUIRE = acquireIf('true')

/** Acquires or extends a lease, unless another holder has it. */
export async function takeLease(sql: Sql, request: LeaseRequest): Promise<LeaseOutcome> {
  const { rows } = await sql.query<{ taken_over: boolean }>(ACQUIRE, leaseValues(request))
  return toLeaseOutcome(rows[0]?.taken_over)
}

/** Acquires or extends the lease on `key` for `seconds`. Returns false if another holder has it. */
export const acquireLease = async (sql: Sql, key: string, token: string, seconds: number): Promise<boolean> =>
  (await takeLease(sql, { key, token, seconds })) !== 'held'

const EXTEND = 'UPDATE leases SET until = now() + make_interval(secs => $3) WHERE key = $1 AND token = $2'

/**
 * Extends a lease, unless another holder has acquired it in the meantime, even if that holder has released it again: what this
 * one found before may be outdated. Returns false if the lease is lost.
 */
export const renewLease = async (sql: Sql, { key, token, seconds }: LeaseRequest): Promise<boolean> =>
  (await sql.query(EXTEND, [key, token, seconds])).rowCount === 1

/**
 * Returns the statement that releases the lease whose key and token are these parameters. Its row stays until
 * `deleteEndedLeases`, so that the next holder knows that there was another one. Columns round to milliseconds, and the next
 * holder must not wait.
 */
export const releaseLeaseOf = (key: string, token: string): string =>
  `UPDATE leases SET until = now() - interval '1 ms' WHERE key = ${key} AND token = ${token}`
export const RELEASE_LEASE = releaseLeaseOf('$1', '$2')

/** Releases the lease. Does nothing if another holder has acquired it in the meantime. */
export async function releaseLease(sql: Sql, { key, token }: Pick<LeaseRequest, 'key' | 'token'>): Promise<void> {
  await sql.query(RELEASE_LEASE, [key, token])
}

/** Longer than any statement may take. */
const KEEP_SECONDS = 60

/** Deletes up to `limit` leases that ended a minute ago, and returns how many. */
export async function deleteEndedLeases(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM leases WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM leases WHERE until < now() - make_interval(secs => $1) LIMIT $2
     )) AND until < now() - make_interval(secs => $1)`,
    [KEEP_SECONDS, limit],
  )
  return rowCount
}
