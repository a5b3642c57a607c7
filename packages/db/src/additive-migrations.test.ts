import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../prisma/migrations/', import.meta.url))
/** Earlier migrations belong to the first release, which has none before it. */
const FIRST = '20261122143400'

const IN_NEW_TABLES = [/^CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/, /^ALTER TABLE "(\w+)"/, /^INSERT INTO "(\w+)"/]
const ADDITIVE = [
  /^CREATE (?:TABLE|TYPE|VIEW|FUNCTION) /,
  /^CREATE EXTENSION IF NOT EXISTS /,
  /^ALTER TYPE "\w+" ADD VALUE /,
  // Without blocking writes. The runner accepts it only alone.
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY /,
]
/** What was required is written by processes of the previous release all the same. */
const OPTIONAL_COLUMN = /^ALTER COLUMN +"\w+" DROP NOT NULL$/
const NEW_COLUMN = /^ADD COLUMN +"\w+" (?!.*\bNOT NULL\b(?!.*\bDEFAULT\b))(?!.*\b(?:UNIQUE|REFERENCES)\b)/s

const splitStatements = (sql: string): string[] =>
  sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)

/** Returns the statements of a migration with which processes of the previous release might fail or wait. */
function findBreaking(sql: string): string[] {
  const statements = splitStatements(sql)
  const created = new Set(statements.map((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1]))
  return statements.filter((statement) => {
    if (ADDITIVE.some((form) => form.test(statement))) return false
    if (IN_NEW_TABLES.some((form) => created.has(form.exec(statement)?.[1] ?? ''))) return false
    const [, changes] = /^ALTER TABLE "\w+"\s+(.*)$/s.exec(statement) ?? []
    return !changes
      ?.split(/,\s*(?=(?:ADD|ALTER|DROP|RENAME)\b)/)
      .every((change) => [NEW_COLUMN, OPTIONAL_COLUMN].some((form) => form.test(change.trim())))
  })
}

const migrations = readdirSync(FOLDER).filter((name) => /^\d/.test(name) && name >= FIRST)

test.each(migrations)('the previous release works on the schema after %s', (name) => {
  expect(findBreaking(readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8'))).toEqual([])
})

test.each([
  'ALTER TABLE "jobs" DROP COLUMN "lane"',
  'ALTER TABLE "jobs" ADD COLUMN "a" INTEGER NOT NULL',
  'ALTER TABLE "jobs" ADD COLUMN "a" INTEGER UNIQUE',
  'ALTER TABLE "jobs" ADD COLUMN "a" INTEGER, DROP COLUMN "lane"',
  'ALTER TABLE "jobs" ADD COLUMN "a" INTEGER, ADD COLUMN "b" TEXT NOT NULL',
  'ALTER TABLE "jobs" ALTER COLUMN "lane" SET NOT NULL',
  'ALTER TABLE "jobs" ALTER COLUMN "lane" TYPE TEXT',
  'ALTER TABLE "jobs" ADD CONSTRAINT "a" CHECK ("attempts" > 0)',
  'ALTER TABLE "jobs" RENAME COLUMN "lane" TO "line"',
  'ALTER TABLE "jobs" RENAME TO "tasks"',
  'DROP TABLE "jobs"',
  'DROP INDEX "jobs_wake_at_idx"',
  'CREATE INDEX "a" ON "jobs"("lane")',
  'UPDATE "jobs" SET "lane" = \'high\'',
])('finds the breaking change in %j', (statement) => {
  expect(findBreaking(`-- Why.\nCREATE TABLE "new" ("id" UUID NOT NULL);\n${statement};`)).toEqual([statement])
})

test.each([
  'ALTER TABLE "jobs" ADD COLUMN "a" INTEGER',
  'ALTER TABLE "jobs" ADD COLUMN "a" NUMERIC(12, 6) NOT NULL DEFAULT 0,\n  ADD COLUMN "b" TEXT',
  'ALTER TABLE "jobs" ALTER COLUMN "lane" DROP NOT NULL, ADD COLUMN "a" INTEGER',
  'ALTER TYPE "plan" ADD VALUE \'team\'',
  'CREATE INDEX CONCURRENTLY "a" ON "jobs"("lane")',
  'CREATE TABLE "new" ("id" UUID); CREATE INDEX "a" ON "new"("id"); ALTER TABLE "new" ADD CONSTRAINT "b" CHECK (true)',
  'CREATE TABLE "new" ("id" UUID); INSERT INTO "new" ("id") SELECT "id" FROM "jobs"',
])('accepts %j', (statements) => {
  expect(findBreaking(statements)).toEqual([])
})
