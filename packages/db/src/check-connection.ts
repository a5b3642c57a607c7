import pg from 'pg'

/** Opens a connection to the database and closes it again. Rejects if that fails or takes too long. */
export async function checkDatabaseConnection(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  // A connection that breaks while it is closed says nothing new.
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}
