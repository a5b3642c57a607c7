import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDb, type Sql } from '@subtext/db'

const MIGRATIONS = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))
const POLL_INTERVAL_MS = 1_000
const UNDEFINED_TABLE = '42P01'

/** Resolves when the database has every migration of this build. Reports what it is waiting for, whenever that changes. */
export async function awaitMigrations(url: string, say: (text: string) => void): Promise<void> {
  const wanted = await listMigrations()
  const db = openDb({ url, maxConnections: 1, onIdleError: () => {} })
  try {
    for (let said = ''; ; await sleep(POLL_INTERVAL_MS)) {
      const obstacle = await findObstacle(db, wanted)
      if (obstacle === null) return
      if (obstacle !== said) say(`Waiting for ${obstacle}`)
      said = obstacle
    }
  } finally {
    await db.close()
  }
}

async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function findObstacle(db: Sql, wanted: readonly string[]): Promise<string | null> {
  try {
    const applied = await listApplied(db)
    const pending = wanted.filter((name) => !applied.has(name)).sort()
    return pending.length === 0 ? null : `migrations: ${pending.join(', ')}`
  } catch (error) {
    return `the database: ${(error as Error).message}`
  }
}

async function listApplied(db: Sql): Promise<Set<string>> {
  try {
    const { rows } = await db.query<{ name: string }>(
      `SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    )
    return new Set(rows.map(({ name }) => name))
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return new Set()
    throw error
  }
}
