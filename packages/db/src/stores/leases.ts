import type { Sql } from '../client.ts'

/** Takes the right to `key` for `seconds`; false while somebody else holds it. */
export async function acquireLease(sql: Sql, key: string, token: string, seconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO leases (key, token, until) VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until
     WHERE leases.until < now() OR leases.token = excluded.token`,
    [key, token, seconds],
  )
  return rowCount === 1
}

/** Gives the right back; harmless when it has passed to somebody else meanwhile. */
export async function releaseLease(sql: Sql, key: string, token: string): Promise<void> {
  await sql.query('DELETE FROM leases WHERE key = $1 AND token = $2', [key, token])
}
