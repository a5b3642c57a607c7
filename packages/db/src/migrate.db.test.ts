import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jest } from '@jest/globals'
import { waitUntil } from '@subtext/embedded/testing'
import pg from 'pg'
import { isDatabaseUnavailable } from './client.ts'
import { migrate } from './migrate.ts'
import { useTestDatabase } from './testing/use-test-database.ts'

const PROJECT_MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)
const database = useTestDatabase()
const { db } = database
let directory: string

beforeEach(async () => {
  await db.query('DROP SCHEMA public CASCADE')
  await db.query('CREATE SCHEMA public')
  directory = await mkdtemp(join(tmpdir(), 'subtext-migrations-'))
})
afterEach(() => rm(directory, { recursive: true }))

const write = async (name: string, sql: string): Promise<void> => {
  await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, name, 'migration.sql'), sql)
}
const OTHERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
/** Takes the lock of migrations until the end of the transaction. */
const HOLD_LOCK = 'SELECT pg_advisory_xact_lock(72707369)'
const bookkeeping = async () => (await db.query('SELECT * FROM _prisma_migrations ORDER BY started_at')).rows
const tables = async (): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
    )
  ).rows.map(({ name }) => name)

test('applies the migrations of the project to an empty database, once, with the bookkeeping of Prisma', async () => {
  const [name, ...rest] = await migrate(database.url)
  const sql = await readFile(new URL(`${name}/migration.sql`, PROJECT_MIGRATIONS))
  expect((await bookkeeping())[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    checksum: createHash('sha256').update(sql).digest('hex'),
    migration_name: name,
    finished_at: expect.any(Date),
    started_at: expect.any(Date),
    rolled_back_at: null,
    logs: null,
    applied_steps_count: 1,
  })
  expect(await tables()).toContain('jobs')
  expect(await migrate(database.url)).toEqual([])
  expect(await bookkeeping()).toHaveLength(1 + rest.length)
})

test('lets one of several concurrent processes apply a migration while the others wait', async () => {
  await write('1_slow', 'SELECT pg_sleep(0.3); CREATE TABLE one (id int)')
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, { directory })))
  expect(applied.flat()).toEqual(['1_slow'])
  expect(await bookkeeping()).toHaveLength(1)
})

test('applies migrations in the order of their names, and later only new ones', async () => {
  await write('2_second', 'ALTER TABLE one ADD COLUMN extra int')
  await write('1_first', 'CREATE TABLE one (id int)')
  await writeFile(join(directory, 'migration_lock.toml'), '')
  expect(await migrate(database.url, { directory })).toEqual(['1_first', '2_second'])
  await write('3_third', 'CREATE TABLE three (id int)')
  expect(await migrate(database.url, { directory })).toEqual(['3_third'])
  expect(await tables()).toEqual(['one', 'three'])
})

test('refuses a migration that was edited after it was applied, and applies none after it', async () => {
  await write('1_first', 'CREATE TABLE one (id int)')
  await migrate(database.url, { directory })
  await write('1_first', 'CREATE TABLE one (id bigint)')
  await write('2_second', 'CREATE TABLE two (id int)')
  await expect(migrate(database.url, { directory })).rejects.toThrow('1_first was edited')
  expect(await tables()).toEqual(['one'])
})

test('rolls back a failed migration, records the reason, and applies nothing until it is resolved', async () => {
  await write('1_first', 'CREATE TABLE one (id int); CREATE TABLE one (id int)')
  await expect(migrate(database.url, { directory })).rejects.toThrow('"one" already exists')
  expect(await tables()).toEqual([])
  expect(await bookkeeping()).toEqual([
    expect.objectContaining({
      finished_at: null,
      applied_steps_count: 0,
      logs: expect.stringContaining('already exists'),
    }),
  ])
  await write('1_first', 'CREATE TABLE one (id int)')
  await expect(migrate(database.url, { directory })).rejects.toThrow('1_first failed earlier')

  // What `prisma migrate resolve --rolled-back` does.
  await db.query('UPDATE _prisma_migrations SET rolled_back_at = now()')
  expect(await migrate(database.url, { directory })).toEqual(['1_first'])
  expect(await tables()).toEqual(['one'])
})

test('rejects when the server ends its session between two statements', async () => {
  await write('1_first', 'CREATE TABLE one (id int)')
  let migrating: Promise<unknown> | undefined
  await db.transaction(async (sql) => {
    await sql.query(HOLD_LOCK)
    migrating = migrate(database.url, { directory }).catch((error: unknown) => error)
    await waitUntil('its session has ended', async () => {
      const idle = `${OTHERS} AND state = 'idle' AND query LIKE '%pg_try_advisory_lock%'`
      return (await db.query(`SELECT pg_terminate_backend(pid) FROM (${idle}) others`)).rowCount === 1
    })
  })
  expect(isDatabaseUnavailable(await migrating)).toBe(true)
  expect(await tables()).toEqual([])
})

describe('the lock', () => {
  beforeEach(async () => {
    await write('1_first', 'CREATE TABLE one (id int)')
    await migrate(database.url, { directory })
  })

  test('is neither taken nor waited for when nothing is missing', async () => {
    await db.transaction(async (sql) => {
      await sql.query(HOLD_LOCK)
      expect(await migrate(database.url, { directory })).toEqual([])
    })
  })

  test('is waited for when a migration is missing, and reported with the session that holds it', async () => {
    await write('2_second', 'CREATE TABLE two (id int)')
    const waits: string[] = []
    let migrating: Promise<string[]> | undefined
    await db.transaction(async (sql) => {
      await sql.query(HOLD_LOCK)
      const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      migrating = migrate(database.url, { directory, reportWaitAfterMs: 0, onWait: (text) => waits.push(text) })
      await waitUntil('the wait is reported', () => waits.length > 0)
      expect(waits).toEqual([expect.stringContaining(`process ID ${rows[0]?.pid} holds`)])
      expect(await tables()).toEqual(['one'])
    })
    expect(await migrating).toEqual(['2_second'])
    expect(waits).toHaveLength(1)
  })

  test('is waited for when another process has begun a migration, which has not failed', async () => {
    await write('2_second', 'CREATE TABLE two (id int)')
    await migrate(database.url, { directory })
    await db.query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_second'")
    const waits: string[] = []
    let migrating: Promise<unknown> | undefined
    await db.transaction(async (sql) => {
      await sql.query(HOLD_LOCK)
      const options = { directory, reportWaitAfterMs: 0, onWait: (text: string) => waits.push(text) }
      migrating = migrate(database.url, options).catch((error: unknown) => error)
      await Promise.race([migrating, waitUntil('the wait is reported', () => waits.length > 0)])
      await db.query('UPDATE _prisma_migrations SET finished_at = now()')
    })
    expect(await migrating).toEqual([])
  })

  test.each([
    ['succeeds', 'CREATE TABLE two (id int)'],
    ['fails', 'CREATE TABLE one (id int)'],
  ])('is not left in the session, which a pooler keeps, when a migration %s', async (_, sql) => {
    await write('2_second', sql)
    const sessions: pg.Client[] = []
    const ending = jest.spyOn(pg.Client.prototype, 'end').mockImplementation(async function (this: pg.Client) {
      sessions.push(this)
    })
    await migrate(database.url, { directory }).catch(() => {})
    ending.mockRestore()
    const [session] = sessions
    expect(
      (await session?.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"))?.rowCount,
    ).toBe(0)
    expect((await session?.query('SHOW lock_timeout'))?.rows).toEqual([{ lock_timeout: '0' }])
    await session?.end()
  })
})

/** Holds a lock on the table until the returned function is called. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isLocked = false
  const locking = db.transaction(async (sql) => {
    await sql.query(`LOCK TABLE ${table} IN ACCESS SHARE MODE`)
    isLocked = true
    await held
  })
  await waitUntil('the table is locked', () => isLocked)
  return () => {
    release()
    return locking
  }
}

test('waits for a lock in short turns, so that nothing else waits behind it, and leaves no record meanwhile', async () => {
  await write('1_first', 'CREATE TABLE one (id int)')
  await migrate(database.url, { directory })
  await write('2_second', 'ALTER TABLE one ADD COLUMN extra int')
  const unlock = await lockTable('one')
  const waits: string[] = []
  const options = { directory, lockTimeoutMs: 50, onWait: (text: string) => waits.push(text) }
  await expect(migrate(database.url, { ...options, giveUpAfterMs: 0 })).rejects.toThrow('lock timeout')
  expect(await bookkeeping()).toHaveLength(1)
  const migrating = migrate(database.url, options)
  await waitUntil('the migration has met the lock', () => waits.length > 0)
  await db.query('INSERT INTO one VALUES (1)')
  await unlock()
  expect(await migrating).toEqual(['2_second'])
  expect(waits).toEqual([expect.stringContaining('2_second waits for a lock')])
})

describe('a concurrent index', () => {
  const INDEX = '-- Why it is needed.\nCREATE UNIQUE INDEX CONCURRENTLY "one_id" ON "one"("id");\n'
  const readIndex = async () =>
    (
      await db.query<{ valid: boolean }>(
        `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('one_id')`,
      )
    ).rows
  beforeEach(async () => {
    await write('1_first', 'CREATE TABLE one (id int)')
    await migrate(database.url, { directory })
  })

  test('is built outside a transaction by one of several processes, while a transaction has written to its table', async () => {
    await write('2_index', INDEX)
    let migrating: Promise<string[]>[] = []
    await db.transaction(async (sql) => {
      await sql.query('INSERT INTO one VALUES (1)')
      migrating = [1, 2, 3].map(() => migrate(database.url, { directory, lockTimeoutMs: 50 }))
      await waitUntil('the index is begun', async () => (await readIndex()).length > 0)
      await db.query('INSERT INTO one VALUES (2)')
    })
    expect((await Promise.all(migrating)).flat()).toEqual(['2_index'])
    expect(await readIndex()).toEqual([{ valid: true }])
    expect(await bookkeeping()).toMatchObject([{}, { migration_name: '2_index', applied_steps_count: 1, logs: null }])
  })

  test('that an interrupted process has left unfinished is built again', async () => {
    await write('2_index', INDEX)
    await db.query('INSERT INTO one VALUES (1), (1)')
    await expect(db.query('CREATE UNIQUE INDEX CONCURRENTLY one_id ON one (id)')).rejects.toThrow('could not create')
    expect(await readIndex()).toEqual([{ valid: false }])
    await db.query('DELETE FROM one')
    expect(await migrate(database.url, { directory })).toEqual(['2_index'])
    expect(await readIndex()).toEqual([{ valid: true }])
  })

  test('must be alone in its migration', async () => {
    await write('2_index', `${INDEX}CREATE TABLE two (id int);`)
    await expect(migrate(database.url, { directory })).rejects.toThrow('2_index must be a single CREATE INDEX')
    expect(await tables()).toEqual(['one'])
  })
})
