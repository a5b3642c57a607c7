import type { Sql } from '@subtext/db'
import { isHeldBy, type Lease } from './job-row.ts'

/** Extends the lease. Returns false if it was lost; the work must then stop. */
export async function extendLease(sql: Sql, lease: Lease, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET wake_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, leaseSeconds],
  )
  return rowCount === 1
}
