import type { Sql } from '../client.ts'

/** Acquires or extends the lease on `key` for `seconds`. False: another holder has it. */
export async function acquireLease(sql: Sql, key: string, token: string, seconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO leases (key, token, until) VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until
     WHERE leases.until < now() OR leases.token = excluded.token`,
    [key, token, seconds],
  )
  return rowCount === 1
}

/** Releases the lease. Does nothing if another holder has acquired it meanwhile. */
export async function releaseLease(sql: Sql, key: string, token: string): Promise<void> {
  await sql.query('DELETE FROM leases WHERE key = $1 AND token = $2', [key, token])
}
