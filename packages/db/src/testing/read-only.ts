import pg from 'pg'

/** Runs statements in a session that may write even while `setReadOnly` is in force. */
export async function writeAnyway(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Makes a database read-only, like a primary that was demoted, or writable again. Ends all its sessions and resolves
 * when they are gone.
 */
export const setReadOnly = (url: string, readOnly: boolean): Promise<void> =>
  writeAnyway(
    url,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${readOnly ? 'on' : 'off'}', current_database()); END $$`,
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
