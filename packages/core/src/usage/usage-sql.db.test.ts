import { randomUUID } from 'node:crypto'
import type { Db } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { foldUsageAdditions } from './additions-sql.ts'
import { recordUsage } from './ledgers-sql.ts'
import { addRequestCounts, hasUsage, listUsage, sumAccountUsage } from './usage-sql.ts'

// What is stored by UTC must not depend on the time zone of the database.
const { db } = useTestDatabase({ maxConnections: 20, settings: { TimeZone: 'Asia/Kolkata' } })

const at = (text: string): Date => new Date(text)

async function rollups(userId: string): Promise<string[]> {
  const { rows } = await db.query<{
    span: string
    starts: string
    requests: string
    succeeded: string
    failed: string
  }>(
    `SELECT span, to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS starts, requests, succeeded, failed
     FROM usage_rollups WHERE user_id = $1 ORDER BY span, starts_at`,
    [userId],
  )
  return rows.map((row) => `${row.span} ${row.starts}: ${row.requests} = ${row.succeeded} + ${row.failed}`)
}

test('adds requests to their hour and day', async () => {
  const key = { userId: randomUUID(), apiKeyId: randomUUID() }
  const counts = [
    { ...key, hour: at('2026-11-21T22:00:00Z'), succeeded: 3, failed: 1 },
    { ...key, hour: at('2026-11-21T23:00:00Z'), succeeded: 5, failed: 0 },
    { ...key, hour: at('2026-11-22T00:00:00Z'), succeeded: 0, failed: 2 },
  ]
  await addRequestCounts(db, counts)
  await addRequestCounts(db, counts.slice(0, 1))
  expect(await rollups(key.userId)).toEqual([
    'hour 2026-11-21 22:00: 8 = 6 + 2',
    'hour 2026-11-21 23:00: 5 = 5 + 0',
    'hour 2026-11-22 00:00: 2 = 0 + 2',
    'day 2026-11-21 00:00: 13 = 11 + 2',
    'day 2026-11-22 00:00: 2 = 0 + 2',
  ])
})

const SPENT = { inputTokens: 3, outputTokens: 2, cachedTokens: 1, cacheWriteTokens: 0, costUsd: 0.1 }

async function endedJob(key: { userId: string; apiKeyId: string }, completedAt: Date): Promise<string> {
  const { id } = await db.prisma.job.create({
    data: {
      ...key,
      id: randomUUID(),
      lane: 'normal',
      priority: 'normal',
      videoId: 'v',
      options: {},
      status: 'completed',
      wakeAt: completedAt,
      createdAt: completedAt,
      updatedAt: completedAt,
      completedAt,
    },
  })
  const spending = { id, jobId: id, purpose: 'notes', model: 'm', ...SPENT, createdAt: completedAt }
  await db.prisma.jobSpending.create({ data: spending })
  return id
}

test('adds to the same sums from concurrent processes and jobs, in any order', async () => {
  const userId = randomUUID()
  const keys = Array.from({ length: 4 }, () => ({ userId, apiKeyId: randomUUID() }))
  const hours = [at('2026-11-20T23:00:00Z'), at('2026-11-21T00:00:00Z'), at('2026-11-21T01:00:00Z')]
  const counts = keys.flatMap((key) => hours.map((hour) => ({ ...key, hour, succeeded: 2, failed: 1 })))
  const jobs = await Promise.all(
    keys.slice(0, 2).flatMap((key) => hours.flatMap((hour) => Array.from({ length: 10 }, () => endedJob(key, hour)))),
  )
  await Promise.all([
    ...Array.from({ length: 40 }, (_, index) =>
      db.transaction((sql) => addRequestCounts(sql, index % 2 ? counts : [...counts].reverse())),
    ),
    ...jobs.map((job) => db.transaction((sql) => recordUsage(sql, job))),
    ...Array.from({ length: 40 }, () => foldUsageAdditions(db, 3)),
  ])
  await foldUsageAdditions(db, 1_000)
  const all = { userId, start: at('2026-11-20T00:00:00Z'), end: at('2026-11-22T00:00:00Z') }
  for (const span of ['hour', 'day'] as const) {
    const { _sum } = await db.prisma.usageRollup.aggregate({
      where: { userId, span },
      _sum: { requests: true, succeeded: true, failed: true, videos: true, inputTokens: true, costUsd: true },
    })
    expect(_sum).toMatchObject({ requests: 1_440n, succeeded: 960n, failed: 480n, videos: 60n, inputTokens: 180n })
    expect(_sum.costUsd?.toNumber()).toBe(6)
  }
  const ofKeys = await Promise.all(keys.map((key) => listUsage(db, key, { ...all, granularity: 'monthly' })))
  expect(ofKeys.flat().map((sum) => [sum.requests, sum.videos, sum.tokens, sum.costUsd])).toEqual([
    [360, 30, 180, 3],
    [360, 30, 180, 3],
    [360, 0, 0, 0],
    [360, 0, 0, 0],
  ])
})

describe('with years of usage', () => {
  const KEYS = 40
  const owner = randomUUID()
  const own = { userId: owner, apiKeyId: randomUUID() }

  beforeAll(async () => {
    await db.prisma.user.create({ data: { id: owner, email: 'years@example.org', plan: 'pro' } })
    const keys = [own.apiKeyId, ...Array.from({ length: KEYS - 1 }, () => randomUUID())]
    await db.prisma.apiKey.createMany({
      data: keys.map((id) => ({ id, userId: owner, hash: Buffer.from(id), prefix: 'sk_', lastFour: 'last' })),
    })
    await db.query(
      `INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, requests, succeeded, cost_usd)
       SELECT $1, key, span, starts_at, 10, 10, 0.000001
       FROM unnest($2::uuid[]) AS keys(key), unnest('{hour,day}'::rollup_span[]) AS spans(span),
         LATERAL generate_series('2026-09-01Z'::timestamptz, '2026-11-21T23:00Z'::timestamptz,
           ('1 ' || span)::interval) AS starts_at`,
      [owner, keys],
    )
    await db.query(
      `INSERT INTO usage_additions (user_id, id, api_key_id, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 1, 1, 1, 0.1, '2026-11-21T12:00Z'
       FROM generate_series(1, 20000)`,
    )
    await db.query('ANALYZE usage_rollups, usage_additions')
  })

  interface Plan {
    'Node Type': string
    'Index Name'?: string
    'Relation Name'?: string
    'Shared Hit Blocks': number
    'Shared Read Blocks': number
    Plans?: Plan[]
  }
  /** Runs the statement and reports the rows and pages it read. */
  async function measure(read: (sql: Db) => Promise<unknown>) {
    let plan: Plan | undefined
    const explain: Db['query'] = async (text, values) => {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      )
      plan = rows[0]?.['QUERY PLAN'][0].Plan
      return { rows: [], rowCount: 0 }
    }
    await read({ ...db, query: explain })
    if (!plan) throw new Error('No plan.')
    const nodes = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
    return {
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      scans: nodes(plan).filter(
        (node) => node['Index Name']?.startsWith('usage') || node['Relation Name']?.startsWith('usage'),
      ),
    }
  }

  const month = [at('2026-11-01T00:00:00Z'), at('2026-12-01T00:00:00Z')] as const
  test.each<[string, number, (sql: Db) => Promise<unknown>]>([
    ['the month of an account', 20 * KEYS, (sql) => sumAccountUsage(sql, owner, ...month)],
    ['30 days of a key', 20, (sql) => listUsage(sql, own, { granularity: 'daily', start: month[0], end: month[1] })],
    [
      '366 hours of a key',
      60,
      (sql) => listUsage(sql, own, { granularity: 'hourly', start: at('2026-11-06T00:00:00Z'), end: month[1] }),
    ],
    ['whether there is earlier usage', 10, (sql) => hasUsage(sql, own, { start: null, end: month[0] })],
  ])('reads %s only through the primary keys', async (_, max, read) => {
    const { buffers, scans } = await measure(read)
    expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    expect(new Set(scans.flatMap((scan) => scan['Index Name'] ?? []))).toEqual(
      new Set(['usage_rollups_pkey', 'usage_additions_pkey']),
    )
    // The table has about 1,500 pages with 80,000 rows.
    expect(buffers).toBeLessThan(max)
  })

  test('returns the sums of the rows', async () => {
    expect(await sumAccountUsage(db, owner, ...month)).toMatchObject({ requests: 21 * KEYS * 10, costUsd: 0.00084 })
    const days = await listUsage(db, own, { granularity: 'daily', start: month[0], end: month[1] })
    expect(days).toHaveLength(21)
    expect(await hasUsage(db, own, { start: null, end: month[0] })).toBe(true)
    expect(await hasUsage(db, own, { start: null, end: at('2026-09-01T00:00:00Z') })).toBe(false)
    expect(await hasUsage(db, own, { start: month[0], end: month[0] })).toBe(false)
  })
})
