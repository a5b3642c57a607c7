import { waitUntil } from '@subtext/embedded/testing'
import type { Sql } from '../client.ts'

const BLOCKED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Waits until a statement in this database waits for a lock. */
export async function untilBlocked(sql: Sql): Promise<void> {
  await waitUntil('a statement waits for a lock', async () => (await sql.query(BLOCKED)).rowCount > 0)
}
