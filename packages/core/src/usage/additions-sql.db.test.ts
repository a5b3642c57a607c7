import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { foldUsageAdditions } from './additions-sql.ts'
import { hasUsage, listUsage, sumAccountUsage } from './usage-sql.ts'

const { db, pools } = useTestDatabase({ maxConnections: 4, pools: 3, per: 'test' })

const RANGE = { start: new Date('2026-11-20T00:00:00Z'), end: new Date('2026-11-22T00:00:00Z') }
const key = { userId: randomUUID(), apiKeyId: randomUUID() }

beforeEach(async () => {
  await db.prisma.user.create({ data: { id: key.userId, email: 'folded@example.org', plan: 'pro' } })
  const hash = Buffer.from(key.apiKeyId)
  await db.prisma.apiKey.create({
    data: { id: key.apiKeyId, userId: key.userId, hash, prefix: 'sk_', lastFour: 'last' },
  })
})

/** Appends usage at 20 minutes' distance, around midnight. */
const append = (count: number) =>
  db.query(
    `INSERT INTO usage_additions (user_id, id, api_key_id, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at)
     SELECT $1, gen_random_uuid(), $2, 1, 3, 2, 1, 0.000001, '2026-11-20T12:00Z'::timestamptz + (n % 72) * interval '20 min'
     FROM generate_series(1, $3::int) n`,
    [key.userId, key.apiKeyId, count],
  )

/** Returns the videos and tokens that each report shows. */
async function readReports() {
  const hours = await listUsage(db, key, { ...RANGE, granularity: 'hourly' })
  const days = await listUsage(db, key, { ...RANGE, granularity: 'daily' })
  const reports = [[await sumAccountUsage(db, key.userId, RANGE.start, RANGE.end)], hours, days]
  return reports.map((rows) => [
    rows.reduce((sum, { videos }) => sum + videos, 0),
    rows.reduce((sum, { tokens }) => sum + tokens, 0),
  ])
}
const counted = (additions: number) => Array(3).fill([additions, 6 * additions])
const left = () => db.prisma.usageAddition.count()

test('every report counts an addition once, before, while and after several processes fold', async () => {
  await append(500)
  expect(await readReports()).toEqual(counted(500))
  expect(await hasUsage(db, key, RANGE)).toBe(true)
  let folding = true
  const folders = pools.map(async (pool) => {
    let folded = 0
    while ((await left()) > 0) folded += await foldUsageAdditions(pool, 7)
    return folded
  })
  const finished = Promise.all(folders).finally(() => {
    folding = false
  })
  let reads = 0
  for (; folding; reads++) expect(await readReports()).toEqual(counted(500))
  expect(reads).toBeGreaterThan(0)
  expect((await finished).reduce((sum, folded) => sum + folded)).toBe(500)
  expect(await readReports()).toEqual(counted(500))
  expect(await hasUsage(db, key, RANGE)).toBe(true)
})

test('a fold that is interrupted changes nothing, and the next one counts everything once', async () => {
  await append(50)
  const interrupted = db.transaction(async (sql) => {
    expect(await foldUsageAdditions(sql, 1_000)).toBe(50)
    throw new Error('interrupted')
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await left()).toBe(50)
  expect(await foldUsageAdditions(db, 1_000)).toBe(50)
  expect(await readReports()).toEqual(counted(50))
})

test('a process that folds while another one does returns at once, and takes what the other has left', async () => {
  await append(20)
  let folded = (): void => {}
  const hold = new Promise<void>((resolve) => {
    folded = resolve
  })
  let taken = 0
  const first = db.transaction(async (sql) => {
    taken = await foldUsageAdditions(sql, 15)
    await hold
  })
  await waitUntil('the first process has folded', () => taken > 0)
  expect(await foldUsageAdditions(db, 1_000)).toBe(0)
  folded()
  await first
  expect(await foldUsageAdditions(db, 1_000)).toBe(5)
  expect(await readReports()).toEqual(counted(20))
})

test('adds usage of the previous release, which changes the sums itself, to the same hours', async () => {
  await append(72)
  await db.query(
    `INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, videos, input_tokens, output_tokens, cached_input_tokens)
     SELECT $1, $2, span, date_trunc(span::text, '2026-11-20T12:34Z'::timestamptz, 'UTC'), 1, 3, 2, 1
     FROM unnest('{hour,day}'::rollup_span[]) AS spans(span)`,
    [key.userId, key.apiKeyId],
  )
  expect(await readReports()).toEqual(counted(73))
  await foldUsageAdditions(db, 1_000)
  expect(await readReports()).toEqual(counted(73))
})
