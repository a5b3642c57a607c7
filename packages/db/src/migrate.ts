import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

export interface MigrateOptions {
  directory?: string
  /** Called when a lock is held by another session, and is waited for. */
  onWait?: (text: string) => void
  /**
   * Milliseconds that a statement waits for a lock. Everything that needs the same table queues behind it, so it gives up early
   * and is tried again.
   */
  lockTimeoutMs?: number
  /** Milliseconds after which a migration that still has no lock fails. */
  giveUpAfterMs?: number
  /** Milliseconds after which waiting for another process that migrates is reported. */
  reportWaitAfterMs?: number
}

const LOCK_TIMEOUT_MS = 3_000
const GIVE_UP_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 1_000
const POLL_LOCK_MS = 250
const REPORT_WAIT_AFTER_MS = 2_000

/**
 * Applies the missing migrations in order, with Prisma's own bookkeeping, and returns their names. Any number of
 * processes may call it at once; if nothing is missing, it takes no lock and waits for none. Throws if an applied migration
 * was edited, or if an earlier one failed and has not been resolved.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.directory ?? MIGRATIONS)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // Without a listener, a session that ends between two statements would end the process. The next statement is rejected.
  client.on('error', () => {})
  await client.connect()
  try {
    if (await isUpToDate(client, migrations)) return []
    await acquireLock(client, options)
    try {
      await client.query(BOOKKEEPING)
      const missing = await findMissing(client, migrations)
      for (const migration of missing) await applyPatiently(client, migration, options)
      return missing.map(({ name }) => name)
    } finally {
      await resetSession(client)
    }
  } finally {
    await client.end()
  }
}

/** A statement that waits for the lock would hold up a concurrent index, which waits for all earlier statements. */
async function acquireLock(client: pg.Client, { onWait, reportWaitAfterMs = REPORT_WAIT_AFTER_MS }: MigrateOptions) {
  const reportAt = performance.now() + reportWaitAfterMs
  for (let isReported = false; ; await sleep(POLL_LOCK_MS)) {
    const { rows } = await client.query<{ acquired: boolean }>('SELECT pg_try_advisory_lock($1) AS acquired', [
      LOCK_KEY,
    ])
    if (rows[0]?.acquired) return
    if (isReported || performance.now() < reportAt) continue
    isReported = true
    onWait?.(`Waiting for the lock of migrations, which ${await describeHolder(client)} holds.`)
  }
}

/** Names the session that holds the lock, so that one that was left behind can be found and ended. */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
     WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted AND datname = current_database()`,
    [LOCK_KEY],
  )
  return rows[0] ? `the PostgreSQL session with the process ID ${rows[0].pid}` : 'another session'
}

/** A pooler keeps the session and gives it to other clients, with all that it holds. */
async function resetSession(client: pg.Client): Promise<void> {
  await client.query(`RESET lock_timeout; SELECT pg_advisory_unlock(${LOCK_KEY})`).catch(() => {}) // the session has ended
}

const UNDEFINED_TABLE = '42P01'

/**
 * Returns whether all migrations have been applied as they are. Without the lock, no more can be said: one that is not finished
 * may have failed, or another process may be applying it.
 */
async function isUpToDate(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const rows = await readApplied(client)
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  return (
    rows.every((row) => row.finished_at !== null) &&
    migrations.every(({ name, checksum }) => checksums.get(name) === checksum)
  )
}

/** Returns the migrations that have not been applied. Requires the lock. */
async function findMissing(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await readApplied(client)
  const failed = rows.find((row) => row.finished_at === null)
  if (failed) throw new Error(`Migration ${failed.migration_name} failed earlier. Resolve it before applying others.`)
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  const edited = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (edited) throw new Error(`Migration ${edited.name} was edited after it was applied.`)
  return migrations.filter(({ name }) => !checksums.has(name))
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>(
      'SELECT * FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
    )
    return rows
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return []
    throw error
  }
}

/** Returns the migrations of the directory in the order of their names. */
async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The code of an error caused by `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Applies a migration, and tries again if it gets no lock in time. */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { onWait, lockTimeoutMs = LOCK_TIMEOUT_MS, giveUpAfterMs = GIVE_UP_AFTER_MS }: MigrateOptions,
): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs
  for (let tries = 1; ; tries++) {
    try {
      await client.query("SELECT set_config('lock_timeout', $1, false)", [`${lockTimeoutMs}ms`])
      return await apply(client, migration)
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
      if (isLocked && performance.now() < deadline) {
        if (tries === 1) onWait?.(`${migration.name} waits for a lock that another transaction holds.`)
        await sleep(RETRY_AFTER_MS)
        continue
      }
      // A migration that got no lock has changed nothing. The next run tries it again, and there is no record to resolve.
      if (!isLocked) await recordFailure(client, migration, error as Error)
      throw error
    }
  }
}

/** Postgres builds such an index without blocking writes, but not within a transaction. */
const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"? ON /

function apply(client: pg.Client, migration: Migration): Promise<void> {
  const statements = migration.sql
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .trim()
  if (!statements.includes(' CONCURRENTLY ')) return applyInTransaction(client, migration)
  const [, index] = CONCURRENT_INDEX.exec(statements) ?? []
  if (index === undefined || statements.slice(0, -1).includes(';')) {
    throw new Error(`Migration ${migration.name} must be a single CREATE INDEX CONCURRENTLY that names the index.`)
  }
  return applyConcurrently(client, migration, index)
}

const STARTED = 'INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)'
const FINISHED =
  'UPDATE "_prisma_migrations" SET finished_at = now(), applied_steps_count = applied_steps_count + 1 WHERE id = $1'

/** Applies a migration and records it in one transaction. */
async function applyInTransaction(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await client.query('BEGIN')
  try {
    await client.query(STARTED, [id, checksum, name])
    await client.query(sql)
    await client.query(FINISHED, [id])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/**
 * Builds an index, and records the migration afterwards: an interrupted one is repeated. The invalid index that an interruption
 * leaves behind is dropped first.
 */
async function applyConcurrently(client: pg.Client, { name, sql, checksum }: Migration, index: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
    [index],
  )
  // It waits for earlier transactions, and nothing waits for it.
  await client.query('SET lock_timeout = 0')
  if (rows[0]?.valid === false) await client.query(`DROP INDEX CONCURRENTLY "${index}"`)
  if (rows[0]?.valid !== true) await client.query(sql)
  const id = randomUUID()
  await client.query(STARTED, [id, checksum, name])
  await client.query(FINISHED, [id])
}

/** Records the failure, as Prisma does. */
async function recordFailure(client: pg.Client, { name, checksum }: Migration, error: Error): Promise<void> {
  const id = randomUUID()
  await client.query(STARTED, [id, checksum, name])
  await client.query('UPDATE "_prisma_migrations" SET logs = $2 WHERE id = $1', [id, error.message])
}
