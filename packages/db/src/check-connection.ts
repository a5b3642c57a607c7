import pg from 'pg'

/** Opens a connection to the database and closes it again. Rejects if that fails or takes too long. */
export async function checkDatabaseConnection(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  // An error while the connection is being closed does not matter.
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}
