import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SummaryContent, SummaryMode } from '@subtext/contracts'
import { openDb, type Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { takeLease } from '../coordination/leases-sql.ts'
import { claimStoredJob } from '../testing/index.ts'
import { addStoredSummaries, findSummariesOrAcquire, listJobWork, saveJobSummary } from './job-work-sql.ts'
import { addJobSpending, addJobSummary, saveSummary } from './summaries-sql.ts'

const database = useTestDatabase({ maxConnections: 4 })
const { db } = database

const ANY_TIME = new Date(0)
const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4, costUsd: 0.001234 }
const content: SummaryContent = { overview: [{ text: `it's "this" \u{1F600}`, segmentIds: [1, 2] }], sections: [] }
const newKey = (): Buffer => createHash('sha256').update(randomUUID()).digest()
const newLease = (key = randomUUID()) => ({ key, token: randomUUID(), seconds: 60 })
const newSummary = (cacheKey: Buffer, mode: SummaryMode = 'tldr') => ({
  id: randomUUID(),
  cacheKey,
  transcriptId: randomUUID(),
  mode,
  model: 'm',
  content,
  quality: null,
  usage,
})
async function save(cacheKey: Buffer, mode: SummaryMode = 'tldr'): Promise<string> {
  return saveSummary(db, newSummary(cacheKey, mode))
}

const countSummaries = async (cacheKey: Buffer) =>
  (await db.query('SELECT FROM summaries WHERE cache_key = $1', [cacheKey])).rowCount

const WANTED = [
  { mode: 'tldr', cacheKey: newKey() },
  { mode: 'detailed', cacheKey: newKey() },
  { mode: 'study_notes', cacheKey: newKey() },
] as const

describe('findSummariesOrAcquire', () => {
  test('finds what the job has and what it could reuse, and acquires the lease while any is missing', async () => {
    const { job } = await claimStoredJob(db)
    const question = { jobId: job.id, userId: job.userId, wanted: [...WANTED], notBefore: ANY_TIME }
    const lease = newLease()
    const ask = () => findSummariesOrAcquire(db, question, lease)
    expect(await ask()).toEqual({ own: [], hasWork: false, stored: [], lease: 'new' })
    await addJobSummary(db, { jobId: job.id, mode: 'tldr', summaryId: randomUUID(), reused: false })
    // One of a mode that the job has is of no use.
    await save(WANTED[0].cacheKey)
    const choiceOf = (id: string, mode: SummaryMode) => ({
      summary: expect.objectContaining({ id, mode }),
      isOwn: false,
      hasSpendings: false,
    })
    const stored = [choiceOf(await save(WANTED[1].cacheKey, 'detailed'), 'detailed')]
    expect(await ask()).toEqual({ own: ['tldr'], hasWork: true, stored, lease: 'taken over' })
    stored.push(choiceOf(await save(WANTED[2].cacheKey, 'study_notes'), 'study_notes'))
    const last = await findSummariesOrAcquire(db, question, newLease())
    expect({ ...last, stored: last.stored.length }).toEqual({ own: ['tldr'], hasWork: true, stored: 2, lease: 'held' })
    expect(last.stored).toEqual(expect.arrayContaining(stored))
  })

  test('finds the newest summary of a key, if it was written at or after the given time', async () => {
    const { job } = await claimStoredJob(db)
    const cacheKey = newKey()
    const find = async (notBefore: Date) =>
      (
        await findSummariesOrAcquire(
          db,
          { jobId: job.id, userId: job.userId, wanted: [{ mode: 'tldr', cacheKey }], notBefore },
          newLease(),
        )
      ).stored.map(({ summary }) => summary.id)
    const older = await save(cacheKey)
    await db.query(`UPDATE summaries SET created_at = now() - interval '1 h' WHERE id = $1`, [older])
    const halfAnHourAgo = new Date(Date.now() - 1_800_000)
    expect(await find(ANY_TIME)).toEqual([older])
    expect(await find(halfAnHourAgo)).toEqual([])
    const newer = await save(cacheKey)
    expect(await find(ANY_TIME)).toEqual([newer])
  })

  test('is not planned again for each call', async () => {
    const lone = openDb({ url: database.url, maxConnections: 1 })
    const wanted = WANTED.slice(0, 2)
    const question = { jobId: randomUUID(), userId: randomUUID(), wanted, notBefore: ANY_TIME }
    for (let call = 0; call < 8; call++) await findSummariesOrAcquire(lone, question, call % 2 ? newLease() : null)
    const { rows } = await lone.query<{ again: number }>(
      `SELECT generic_plans::int AS again FROM pg_prepared_statements WHERE statement LIKE '%WITH ORDINALITY AS w(mode%' AND statement NOT LIKE '%pg_prepared%'`,
    )
    await lone.close()
    expect(rows).toEqual([{ again: 3 }])
  })

  test('reads one row however often a summary was rewritten', async () => {
    const key = newKey()
    const id = await save(key)
    await db.query(
      `INSERT INTO summaries SELECT gen_random_uuid(), cache_key, transcript_id, mode, model, content, 0, 0, 0, 0, 0, now()
       FROM summaries, generate_series(1, 2000) WHERE id = $1`,
      [id],
    )
    await db.query('ANALYZE summaries')
    let plan = ''
    const explaining: Sql = {
      async query<Row>(text: string, values?: unknown[]) {
        const { rows } = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values)
        plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        return { rows: [] as Row[], rowCount: 0 }
      },
    }
    const question = {
      jobId: randomUUID(),
      userId: randomUUID(),
      wanted: [{ mode: 'tldr' as const, cacheKey: key }],
      notBefore: ANY_TIME,
    }
    await findSummariesOrAcquire(explaining, question, newLease())
    const read = [...plan.matchAll(/actual rows=([\d.]+)/g)].map(([, rows]) => Number(rows))
    expect(read.length).toBeGreaterThan(0)
    expect(Math.max(...read)).toBe(1)
  })
})

test('tells apart summaries of the own account, and those that cost another account more, without acquiring a lease', async () => {
  const [own, shared] = [await save(WANTED[0].cacheKey), await save(WANTED[1].cacheKey, 'detailed')]
  const claimed = await claimStoredJob(db)
  const { userId } = claimed.job
  const jobs = [claimed, await claimStoredJob(db, { userId }), await claimStoredJob(db)].map(({ job }) => job)
  const cost = { id: randomUUID(), jobId: claimed.job.id, purpose: 'notes' as const, mode: null, model: 'n', usage }
  await addJobSpending(db, cost)
  await addJobSummary(db, { jobId: claimed.job.id, mode: 'tldr', summaryId: own, reused: false })
  const wanted = WANTED.slice(0, 2)
  const questions = jobs.map((job) => ({ jobId: job.id, userId: job.userId, wanted, notBefore: ANY_TIME }))
  const found = await Promise.all(questions.map((question) => findSummariesOrAcquire(db, question, null)))
  const nothing = { own: [], hasWork: false, lease: 'held' }
  expect(found).toMatchObject([{ own: ['tldr'], hasWork: true, lease: 'held' }, nothing, nothing])
  const choices = found.map(({ stored }) => stored.map(({ summary, ...about }) => ({ id: summary.id, ...about })))
  const unused = { id: shared, isOwn: false, hasSpendings: false }
  expect(choices).toEqual([
    [unused],
    expect.arrayContaining([{ id: own, isOwn: true, hasSpendings: false }, unused]),
    expect.arrayContaining([{ id: own, isOwn: false, hasSpendings: true }, unused]),
  ])
})

test('lists what a job has and paid for, with exact tokens and cost, and releases the lease', async () => {
  const { job } = await claimStoredJob(db)
  const lease = newLease()
  await takeLease(db, lease)
  const written = newSummary(newKey(), 'detailed')
  await saveJobSummary(db, job.id, written, ANY_TIME)
  const reused = await save(newKey())
  await addJobSummary(db, { jobId: job.id, mode: 'tldr', summaryId: reused, reused: true })
  const spending = { purpose: 'notes' as const, mode: null, model: 'n', usage }
  await addJobSpending(db, { ...spending, id: randomUUID(), jobId: job.id })

  const { cacheKey: _, ...summary } = written
  const asked = await findSummariesOrAcquire(
    db,
    { jobId: job.id, userId: job.userId, wanted: [], notBefore: ANY_TIME },
    newLease(),
  )
  expect(asked.hasWork).toBe(true)
  const work = await listJobWork(db, job.id)
  expect(work).toEqual({
    summaries: [expect.objectContaining({ id: reused, mode: 'tldr', reused: true }), { ...summary, reused: false }],
    spendings: [spending],
  })
  expect(await takeLease(db, newLease(lease.key))).toBe('held')
  expect(await listJobWork(db, job.id, lease)).toEqual(work)
  expect(await takeLease(db, newLease(lease.key))).toBe('taken over')
  expect(await listJobWork(db, randomUUID())).toEqual({ summaries: [], spendings: [] })
})

describe('saveJobSummary', () => {
  test('adds the summary that another job has stored meanwhile, with its cost, and may be repeated', async () => {
    const { job } = await claimStoredJob(db)
    const cacheKey = newKey()
    const other = await save(cacheKey)
    const own = { ...newSummary(cacheKey), usage: { ...usage, costUsd: 0.5 } }
    expect(await saveJobSummary(db, job.id, own, ANY_TIME)).toEqual({ id: other, costUsd: usage.costUsd })
    expect(await saveJobSummary(db, job.id, own, ANY_TIME)).toBeNull()
    expect((await listJobWork(db, job.id)).summaries).toMatchObject([{ id: other, reused: false }])
    expect(await countSummaries(cacheKey)).toBe(1)
  })

  test('stores one of two summaries that two jobs save at the same moment', async () => {
    const cacheKey = newKey()
    const jobs = [await claimStoredJob(db), await claimStoredJob(db)]
    const saved = await Promise.all(
      jobs.map(({ job }) =>
        db.transaction(async (sql) => {
          const added = await saveJobSummary(sql, job.id, newSummary(cacheKey), ANY_TIME)
          await sleep(200)
          return added
        }),
      ),
    )
    expect(saved[0]).toEqual(saved[1])
    expect(await countSummaries(cacheKey)).toBe(1)
  })

  test('reports once that it has added this very summary, and releases the lease', async () => {
    const { job } = await claimStoredJob(db)
    const lease = newLease()
    await takeLease(db, lease)
    const summary = newSummary(newKey())
    expect(await saveJobSummary(db, job.id, summary, ANY_TIME, lease)).toEqual({
      id: summary.id,
      costUsd: usage.costUsd,
    })
    expect(await saveJobSummary(db, job.id, summary, ANY_TIME)).toBeNull()
    expect(await takeLease(db, newLease(lease.key))).toBe('taken over')
  })

  test('keeps a summary for other jobs although its own has ended', async () => {
    const { job } = await claimStoredJob(db)
    await db.query(`UPDATE jobs SET status = 'failed', completed_at = now() WHERE id = $1`, [job.id])
    const cacheKey = newKey()
    expect(await saveJobSummary(db, job.id, newSummary(cacheKey), ANY_TIME)).toBeNull()
    expect((await listJobWork(db, job.id)).summaries).toEqual([])
    expect(await countSummaries(cacheKey)).toBe(1)
  })
})

describe('addStoredSummaries', () => {
  test('returns what it has added, including related costs that another account paid', async () => {
    const [{ job: paying }, { job }] = [await claimStoredJob(db), await claimStoredJob(db)]
    const written = [newSummary(newKey()), newSummary(newKey(), 'detailed')]
    const spending = { purpose: 'notes' as const, mode: null, model: 'n', usage }
    await addJobSpending(db, { ...spending, id: randomUUID(), jobId: paying.id })
    for (const summary of written) await saveJobSummary(db, paying.id, summary, ANY_TIME)
    const added = await addStoredSummaries(db, job.id, written)
    expect(added).toEqual(await listJobWork(db, job.id))
    expect(added.summaries.map(({ id, reused }) => [id, reused])).toEqual(written.map(({ id }) => [id, false]))
    expect(added.spendings).toEqual([spending])
    expect(await addStoredSummaries(db, job.id, written)).toEqual({ summaries: [], spendings: [] })
  })

  test('adds no costs of an infographic, and none that the other account got with a summary of a third', async () => {
    const [{ job: first }, { job: second }, { job }] = [
      await claimStoredJob(db),
      await claimStoredJob(db),
      await claimStoredJob(db),
    ]
    const [tldr, detailed] = [newSummary(newKey()), newSummary(newKey(), 'detailed')]
    const pay = async (jobId: string, purpose: 'unusable' | 'infographic', mode: SummaryMode | null = null) => {
      const id = randomUUID()
      await addJobSpending(db, { id, jobId, purpose, mode, model: 'n', usage })
      return id
    }
    await pay(first.id, 'unusable')
    await pay(first.id, 'unusable', 'tldr')
    await saveJobSummary(db, first.id, tldr, ANY_TIME)
    await pay(first.id, 'infographic')
    const attempt = await pay(first.id, 'unusable')
    await db.query(`UPDATE job_spendings SET created_at = now() + interval '1 s' WHERE id = $1`, [attempt])
    const costsOf = async (summaries: (typeof tldr)[], jobId = job.id) =>
      (await addStoredSummaries(db, jobId, summaries)).spendings.map(({ purpose, mode }) => [purpose, mode])
    expect(await costsOf([tldr], second.id)).toEqual(
      expect.arrayContaining([
        ['unusable', null],
        ['unusable', 'tldr'],
      ]),
    )
    expect((await listJobWork(db, second.id)).spendings).toHaveLength(2)
    await saveJobSummary(db, second.id, detailed, ANY_TIME)
    const question = { jobId: job.id, userId: job.userId, wanted: [detailed], notBefore: ANY_TIME }
    expect((await findSummariesOrAcquire(db, question, null)).stored).toMatchObject([
      { isOwn: false, hasSpendings: false },
    ])
    expect(await costsOf([detailed])).toEqual([])
  })

  test('adds nothing to a job that has ended', async () => {
    const { job } = await claimStoredJob(db)
    await db.query(`UPDATE jobs SET status = 'failed', completed_at = now() WHERE id = $1`, [job.id])
    const id = await save(newKey())
    expect(await addStoredSummaries(db, job.id, [{ id, mode: 'tldr' }])).toEqual({ summaries: [], spendings: [] })
    expect((await listJobWork(db, job.id)).summaries).toEqual([])
  })
})
