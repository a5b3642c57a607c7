import { readFile } from 'node:fs/promises'
import { useTestDatabase } from '@subtext/db/testing'
import { Prisma } from './generated/client.ts'

const { db } = useTestDatabase({ maxConnections: 2 })

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
}

const TYPES: Record<string, string> = {
  String: 'text',
  'String[]': '_text',
  '@db.Uuid': 'uuid',
  Int: 'int4',
  BigInt: 'int8',
  '@db.SmallInt': 'int2',
  Boolean: 'bool',
  Json: 'jsonb',
  Bytes: 'bytea',
  '@db.Timestamptz(3)': 'timestamptz',
  '@db.Date': 'date',
  '@db.Decimal(12, 6)': 'numeric',
  '@db.Decimal(16, 6)': 'numeric',
}

/** What the schema file says the tables look like. */
function parseColumns(schema: string): Column[] {
  const named = (body: string, attribute: string): string | undefined =>
    new RegExp(`(?<!@)@{1,2}${attribute}\\("(\\w+)"\\)`).exec(body)?.[1]
  const enums = new Map(
    [...schema.matchAll(/^enum (\w+) \{([^}]*)\}/gm)].map(([, name = '', body = '']) => [
      name,
      named(body, 'map') ?? name,
    ]),
  )
  return [...schema.matchAll(/^model (\w+) \{([^}]*)\}/gm)].flatMap(([, model = '', body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model
    return [...body.matchAll(/^ {2}(\w+) +(\w+)(\[\]|\?)?( .*)?$/gm)].flatMap(
      ([, field = '', base = '', suffix = '', rest = '']) => {
        const native = /@db\.\w+(?:\([^)]*\))?/.exec(rest)?.[0]
        const type = enums.get(base) ?? TYPES[native ?? `${base}${suffix === '[]' ? '[]' : ''}`]
        // The rest are relations, which are no columns.
        return type ? [{ table, column: named(rest, 'map') ?? field, type, nullable: suffix !== '' }] : []
      },
    )
  })
}

const byPlace = (one: Column, other: Column): number =>
  `${one.table}.${one.column}` < `${other.table}.${other.column}` ? -1 : 1

test('the migrations make exactly the columns that the schema declares', async () => {
  const declared = parseColumns(await readFile(new URL('../../../prisma/schema.prisma', import.meta.url), 'utf8'))
  const { rows } = await db.query<Column>(
    `SELECT table_name AS table, column_name AS column, udt_name AS type, is_nullable = 'YES' AS nullable
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
  )
  expect(declared.length).toBeGreaterThan(100)
  expect(rows.sort(byPlace)).toEqual(declared.sort(byPlace))
})

test.each(Object.keys(Prisma.ModelName))('%s can be read through the client', async (model) => {
  const name = `${model[0]?.toLowerCase()}${model.slice(1)}` as 'job'
  expect(await db.prisma[name].findFirst()).toBeNull()
})

test.each([
  ['progress beyond 100', { progress: 101 }, 'jobs_progress_check'],
  ['an end without its time', { status: 'completed' as const }, 'jobs_end_check'],
  ['a time of end without an end', { completedAt: new Date() }, 'jobs_end_check'],
])('refuses a job with %s', async (_, fault, constraint) => {
  const now = new Date()
  const job = {
    id: '0190b0c4-0000-7000-8000-000000000001',
    userId: '0190b0c4-0000-7000-8000-000000000002',
    lane: 'normal' as const,
    priority: 'normal' as const,
    videoId: 'dQw4w9WgXcQ',
    options: {},
    wakeAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await expect(db.prisma.job.create({ data: { ...job, ...fault } })).rejects.toThrow(constraint)
})
