import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { runAdmin, runMigrate, runStart } from '@subtext/testbed'

const database = useTestDatabase()

test('the migrate program leaves a migrated database as it is', async () => {
  const { code, out, err } = await runMigrate({ DATABASE_URL: database.url })
  expect({ code, out, err }).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' })
})

test('the migrate program applies every migration to an empty database', async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_empty`
  await database.db.query(`CREATE DATABASE ${name}`)
  try {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const { code, out } = await runMigrate({ DATABASE_URL: url.href })
    expect(code).toBe(0)
    expect(out).toMatch(/^applied \d{14}_init$/m)
    expect(out).toMatch(/Applied \d+ migration\(s\)\.\n$/)
  } finally {
    await database.db.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
})

test('with --wait, the migrate program ends when another one has migrated the database', async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_awaited`
  await database.db.query(`CREATE DATABASE ${name}`)
  try {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const waiting = runMigrate({ DATABASE_URL: url.href }, ['--wait'])
    await waitUntil('the program has connected', async () => {
      const { rows } = await database.db.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
      return rows.length > 0
    })
    expect((await runMigrate({ DATABASE_URL: url.href })).code).toBe(0)
    const { code, out } = await waiting
    expect(code).toBe(0)
    expect(out).toMatch(/^Waiting for migrations: \d{14}_init, .*\n(.*\n)*The database is up to date\.\n$/)
  } finally {
    await database.db.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
})

test('the migrate program refuses an option that it does not know, and prints its usage on --help', async () => {
  expect(await runMigrate({}, ['--wiat'])).toEqual({ code: 2, out: '', err: expect.stringMatching(/^Usage: /) })
  expect(await runMigrate({}, ['--help'])).toEqual({ code: 0, out: expect.stringMatching(/^Usage: /), err: '' })
})

test('the migrate program names the setting that is missing', async () => {
  const { code, err } = await runMigrate({})
  expect(code).toBe(1)
  expect(err).toContain('DATABASE_URL')
})

const UNREACHABLE = 'postgresql://subtext:swordfish@127.0.0.1:1/none'
const REFUSED = 'DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:1 (connection refused).\n'

test('the migrate program names the setting and the address of a database that it cannot reach', async () => {
  const { code, err } = await runMigrate({ DATABASE_URL: UNREACHABLE })
  expect([code, err]).toEqual([1, `Cannot migrate: ${REFUSED}`])
})

test('npm start and the admin command name every server that they cannot reach, without a stack', async () => {
  const started = await runStart({ DATABASE_URL: UNREACHABLE, REDIS_URL: 'redis://:swordfish@127.0.0.1:2' })
  expect([started.code, started.out]).toEqual([1, ''])
  expect(started.err).toBe(`${REFUSED}REDIS_URL: cannot connect to Redis at 127.0.0.1:2 (connection refused).\n`)
  const admin = await runAdmin(['list-keys'], { DATABASE_URL: UNREACHABLE })
  expect([admin.code, admin.out, admin.err]).toEqual([1, '', REFUSED])
})
