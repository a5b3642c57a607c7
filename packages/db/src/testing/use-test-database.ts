import { type Db, openDb } from '../client.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface UseTestDatabaseOptions {
  /** Connections per pool; 10 by default. */
  maxConnections?: number
  /** Pools on the same database, as several processes would have; 1 by default. */
  pools?: number
  /** PostgreSQL settings of every session, as an operator may put them into DATABASE_URL. */
  settings?: Record<string, string>
  /**
   * With `test`, every test gets its own database; by default, all tests of the file (or `describe` block) share one.
   */
  per?: 'file' | 'test'
}

/**
 * Registers hooks that create a migrated, empty database and drop it afterwards. What it returns can be used in later
 * hooks and in tests. Jest runs `afterAll` hooks in the order of their registration, so the database is already gone
 * in those that the caller registers after this call.
 */
export function useTestDatabase(options: UseTestDatabaseOptions = {}) {
  const { maxConnections, pools: poolCount = 1, settings = {}, per = 'file' } = options
  let database: TestDatabase | undefined
  let opened: Db[] = []
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    database = await createTestDatabase()
    const url = withSettings(database.url, settings)
    opened = Array.from({ length: poolCount }, () => openDb({ url, maxConnections }))
  })
  after(async () => {
    await Promise.all(opened.map((db) => db.close()))
    await database?.drop()
  })

  const pools = Array.from({ length: poolCount }, (_, index) => deferDb(() => opened[index]))
  return {
    get url(): string {
      if (!database) throw new Error(TOO_EARLY)
      return database.url
    },
    /** The store on the first pool. */
    db: deferDb(() => opened[0]),
    /** One store per pool. */
    pools,
  }
}

const TOO_EARLY = 'The test database is available only in hooks and tests.'

/** Returns a `Db` that passes every call to the one that exists by then. */
function deferDb(find: () => Db | undefined): Db {
  const current = (): Db => {
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
