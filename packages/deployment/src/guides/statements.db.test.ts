import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { useTestDatabase } from '@subtext/db/testing'
import { ROOT } from '../paths.ts'

const database = useTestDatabase()
const FOLDER = join(ROOT, 'docs/operating')

/** Returns the queries in the blocks and code spans of a guide, and those that its commands give to `psql`. */
const listQueries = (text: string): string[] =>
  [...text.matchAll(/`(SELECT [^`]+)`|^\s*(SELECT [^;]+);|-c (?:'(SELECT [^']+)'|"(SELECT [^"]+)")/gm)].flatMap(
    (found) => found.slice(1).filter(Boolean),
  )

const queries = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => listQueries(readFileSync(join(FOLDER, file), 'utf8')).map((query) => [file, query] as const))

test.each(queries)('%s: PostgreSQL understands %s', async (_, query) => {
  await expect(database.db.query(`EXPLAIN ${query}`)).resolves.toBeDefined()
})

test('the queries of every kind are found', () => {
  expect(queries.map(([file]) => file)).toEqual(
    expect.arrayContaining([
      'runbooks/connections-exhausted.md',
      'runbooks/daily-spend-limit-reached.md',
      'runbooks/submissions-fail.md',
      'secrets.md',
    ]),
  )
})
