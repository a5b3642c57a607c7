import { useTestDatabase } from '@subtext/db/testing'
import { runMigrate } from '@subtext/server/testing'

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

test('the migrate program names the setting that is missing', async () => {
  const { code, err } = await runMigrate({})
  expect(code).toBe(1)
  expect(err).toContain('DATABASE_URL')
})

test('the migrate program says that it cannot reach the database', async () => {
  const { code, err } = await runMigrate({ DATABASE_URL: 'postgres://localhost:1/none' })
  expect(code).toBe(1)
  expect(err).toMatch(/^Cannot migrate: .+/)
})
