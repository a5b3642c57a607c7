import pg from 'pg'
import { Prisma } from './generated/client.ts'
import { type Catalog, readCatalog } from './testing/catalog.ts'
import { writeDeclaredSchema } from './testing/declared-schema.ts'
import { useTestDatabase } from './testing/use-test-database.ts'

/** What the migrations create although Prisma's schema language cannot express it. */
const UNDECLARED: Record<string, readonly string[]> = {
  // Its first column needs the operators of an extension. Expression indexes would have to be listed here, too.
  indexes: ['library_entries_user_id_tsv_idx'],
  checks: [
    'batches_counts_check',
    'batches_end_check',
    'batches_pending_check',
    'chat_exchanges_status_check',
    'jobs_end_check',
    'jobs_held_check',
    'jobs_progress_check',
    'library_backfill_id_check',
    'library_entries_tsv_check',
    'quota_entries_kind_check',
    'quota_usage_used_check',
    'webhook_deliveries_ready_check',
    'webhook_secrets_sealed_check',
  ],
}

const migrated = useTestDatabase({ maxConnections: 2 })
const empty = useTestDatabase({ maxConnections: 1 })
const { db } = migrated
let declaredCatalog: Catalog

beforeAll(async () => {
  const script = await writeDeclaredSchema(migrated.url)
  declaredCatalog = await withClient(empty.url, async (client) => {
    await client.query(`DROP SCHEMA public CASCADE; ${script}`)
    return readCatalog(client)
  })
})

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Reads the catalog of the migrated database after a change, which is then undone, without what is listed above. */
const readMigrated = (change = ''): Promise<Catalog> =>
  withClient(migrated.url, async (client) => {
    await client.query(`BEGIN; ${change}`)
    const catalog = await readCatalog(client)
    await client.query('ROLLBACK')
    for (const [kind, names] of Object.entries(UNDECLARED)) {
      for (const name of names) {
        expect(catalog[kind]).toHaveProperty([name])
        delete catalog[kind]?.[name]
      }
    }
    return catalog
  })

test('the migrations create exactly what the schema declares', async () => {
  expect(Object.keys(declaredCatalog.columns ?? {}).length).toBeGreaterThan(100)
  expect(await readMigrated()).toEqual(declaredCatalog)
})

test.each([
  ['enums', 'another value', `ALTER TYPE lane ADD VALUE 'low'`],
  ['enums', 'another order', `ALTER TYPE lane ADD VALUE 'low' BEFORE 'high'`],
  ['columns', 'another column', 'ALTER TABLE videos ADD COLUMN extra text'],
  ['columns', 'another type', 'ALTER TABLE usage_entries ALTER COLUMN cost_usd TYPE numeric(12, 4)'],
  ['columns', 'a missing NOT NULL', 'ALTER TABLE videos ALTER COLUMN info DROP NOT NULL'],
  ['defaults', 'another default', 'ALTER TABLE jobs ALTER COLUMN attempts SET DEFAULT 1'],
  ['defaults', 'a missing default', 'ALTER TABLE jobs ALTER COLUMN step DROP DEFAULT'],
  ['keys', 'a missing primary key', 'ALTER TABLE leases DROP CONSTRAINT leases_pkey'],
  ['indexes', 'a missing index', 'DROP INDEX jobs_user_id_id_idx'],
  ['indexes', 'other columns', replaceIndex('jobs_user_id_id_idx ON jobs (user_id)')],
  ['indexes', 'another direction', replaceIndex('jobs_user_id_id_idx ON jobs (user_id, id DESC)')],
  ['indexes', 'uniqueness', replaceIndex('api_keys_user_id_idx ON api_keys (user_id)', 'UNIQUE')],
  ['indexes', 'another condition', replaceIndex(`jobs_wake_at_idx ON jobs (wake_at) WHERE status = 'queued'`)],
  ['indexes', 'an unlisted partial index', 'CREATE INDEX unlisted ON videos (fetched_at) WHERE info IS NULL'],
  ['indexes', 'an unlisted expression index', 'CREATE INDEX unlisted ON users (lower(email))'],
  ['foreignKeys', 'another foreign key', 'ALTER TABLE jobs ADD FOREIGN KEY (user_id) REFERENCES users (id)'],
  ['foreignKeys', 'a missing foreign key', 'ALTER TABLE api_keys DROP CONSTRAINT api_keys_user_id_fkey'],
  [
    'foreignKeys',
    'another action on deletion',
    `ALTER TABLE api_keys DROP CONSTRAINT api_keys_user_id_fkey, ADD CONSTRAINT api_keys_user_id_fkey
       FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT ON UPDATE CASCADE`,
  ],
  ['checks', 'an unlisted check', 'ALTER TABLE users ADD CHECK (jobs_accepted >= jobs_failed)'],
])('the comparison of %s notices %s', async (kind, _, change) => {
  const changed = await readMigrated(change)
  expect(changed[kind]).not.toEqual(declaredCatalog[kind])
})

function replaceIndex(definition: string, unique = ''): string {
  const name = definition.split(' ', 1)
  return `DROP INDEX ${name}; CREATE ${unique} INDEX ${definition}`
}

test.each(Object.keys(Prisma.ModelName))('the client can read the model %s', async (model) => {
  const name = `${model[0]?.toLowerCase()}${model.slice(1)}` as 'job'
  expect(await db.prisma[name].findFirst()).toBeNull()
})

test.each([
  ['progress beyond 100', { progress: 101 }, 'jobs_progress_check'],
  ['a final status without a time of completion', { status: 'completed' as const }, 'jobs_end_check'],
  ['a time of completion without a final status', { completedAt: new Date() }, 'jobs_end_check'],
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
