import { openPrismaDb, type PrismaDb } from '../prisma.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface UseTestDatabaseOptions {
  /** Connections per pool; 10 by default. */
  maxConnections?: number
  /** Pools on the same database, as several processes would have; 1 by default. */
  pools?: number
  /** PostgreSQL settings of every session, as an operator may put them into DATABASE_URL. */
  settings?: Record<string, string>
  /** With `test`, all tables are emptied before every test; by default, tests find the rows of those before them. */
  per?: 'file' | 'test'
}

/** Only a failing test waits this long for a connection. On a busy machine, many callers of a small pool wait for a while. */
const PATIENCE_MS = 240_000

/** Deletes all rows. Creating a database for every test would take many times the CPU time. */
const EMPTY = `DO $$
DECLARE
  name text;
BEGIN
  -- Without triggers and the checks of foreign keys.
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`

/**
 * Registers hooks that create a migrated, empty database and drop it afterwards. What it returns can be used in later
 * hooks and in tests. Jest runs `afterAll` hooks in the order of their registration, so the database is already gone
 * in those that the caller registers after this call.
 */
export function useTestDatabase(options: UseTestDatabaseOptions = {}) {
  const { maxConnections, pools: poolCount = 1, settings = {}, per = 'file' } = options
  let database: TestDatabase | undefined
  let opened: PrismaDb[] = []
  beforeAll(async () => {
    database = await createTestDatabase()
    const url = withSettings(database.url, settings)
    opened = Array.from({ length: poolCount }, () =>
      openPrismaDb({ url, maxConnections, connectTimeoutMs: PATIENCE_MS }),
    )
  })
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
    await database?.drop()
  })

  const pools = Array.from({ length: poolCount }, (_, index) => deferDb(() => opened[index]))
  const db = deferDb(() => opened[0])
  if (per === 'test') beforeEach(() => db.query(EMPTY))
  return {
    get url(): string {
      if (!database) throw new Error(TOO_EARLY)
      return database.url
    },
    /** The store on the first pool. */
    db,
    /** One store per pool. */
    pools,
  }
}

const TOO_EARLY = 'The test database is available only in hooks and tests.'

/** Returns a store that passes every call to the one that exists by then. */
function deferDb(find: () => PrismaDb | undefined): PrismaDb {
  const current = (): PrismaDb => {
    const db = find()
    if (!db) throw new Error(TOO_EARLY)
    return db
  }
  return {
    get prisma() {
      return current().prisma
    },
    query: (text, values) => current().query(text, values),
    transaction: (work) => current().transaction(work),
    close: () => current().close(),
  }
}

function withSettings(url: string, settings: Record<string, string>): string {
  const target = new URL(url)
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  if (options.length > 0) target.searchParams.set('options', options.join(' '))
  return target.href
}
