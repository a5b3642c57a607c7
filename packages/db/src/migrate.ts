import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

const CONNECT_TIMEOUT_MS = 10_000

// Lock key, table and checksum are those of `prisma migrate deploy`, so that either can run first and the other finds
// the database up to date (prisma-engines, schema-engine: `migration_persistence.rs`, `advisory_lock`).
const LOCK_KEY = 72_707_369
const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

interface AppliedMigration {
  migration_name: string
  checksum: string
  finished_at: Date | null
  rolled_back_at: Date | null
}

/**
 * Applies the missing migrations in order, with Prisma's own bookkeeping, and returns their names. Any number of
 * processes may call it at once. Throws if an applied migration was edited, or if an earlier one failed and has not
 * been resolved.
 */
export async function migrate(url: string, directory = MIGRATIONS): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // Without a listener, a session that ends between two statements would end the process. The next statement is rejected.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
    await client.query(BOOKKEEPING)
    return await applyMissing(client, directory)
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client, directory: string): Promise<string[]> {
  const { rows } = await client.query<AppliedMigration>(
    'SELECT * FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  const failed = rows.find((row) => row.finished_at === null)
  if (failed) throw new Error(`Migration ${failed.migration_name} failed earlier. Resolve it before applying others.`)
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]))

  const applied: string[] = []
  const entries = await readdir(directory, { withFileTypes: true })
  for (const name of entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()) {
    const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    const known = checksums.get(name)
    if (known === undefined) {
      await apply(client, name, sql, checksum)
      applied.push(name)
    } else if (known !== checksum) {
      throw new Error(`Migration ${name} was edited after it was applied.`)
    }
  }
  return applied
}

const STARTED = 'INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)'

/** Applies a migration and records it in one transaction. A failure leaves a record of its own, as with Prisma. */
async function apply(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  const id = randomUUID()
  await client.query('BEGIN')
  try {
    await client.query(STARTED, [id, checksum, name])
    await client.query(sql)
    await client.query(
      'UPDATE "_prisma_migrations" SET finished_at = now(), applied_steps_count = applied_steps_count + 1 WHERE id = $1',
      [id],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    await client.query(STARTED, [id, checksum, name])
    await client.query('UPDATE "_prisma_migrations" SET logs = $2 WHERE id = $1', [id, (error as Error).message])
    throw error
  }
}
