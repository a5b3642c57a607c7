import { createHash, randomUUID } from 'node:crypto'
import { firstIdAt } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { findKnownTranscripts, findOwnSummaries } from '../estimates/estimates-sql.ts'
import { addJobSummary, saveSummary } from '../summaries/summaries-sql.ts'
import { newJob, storeJob } from '../testing/index.ts'
import { findTranscript, saveTranscript } from '../transcripts/transcripts-sql.ts'
import { deleteUnusedSummaries, deleteUnusedTranscripts } from './cache-retention-sql.ts'

const { db } = useTestDatabase({ per: 'test', maxConnections: 4 })

const ANY_TIME = new Date(0)
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000)
const track = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const videoId = 'dQw4w9WgXcQ'
const cacheKey = createHash('sha256').digest()
const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
const content = { overview: [], sections: [] }

interface Kind {
  table: 'transcripts' | 'summaries'
  /** Stores an old one, and returns its ID. */
  save: () => Promise<string>
  /** Returns the ID of the one that a job of that video would use. */
  find: () => Promise<string | undefined>
  purge: typeof deleteUnusedTranscripts
}

async function saveOldTranscript(): Promise<string> {
  const id = firstIdAt(LONG_AGO)
  await saveTranscript(db, { id, videoId, track, cues: [] })
  await db.query('UPDATE transcripts SET fetched_at = $1', [LONG_AGO])
  return id
}

async function saveOldSummary(): Promise<string> {
  const id = firstIdAt(LONG_AGO)
  const transcriptId = await saveOldTranscript()
  await saveSummary(db, { id, transcriptId, mode: 'tldr', model: 'm', content, usage, cacheKey })
  await db.query('UPDATE summaries SET created_at = $1', [LONG_AGO])
  return id
}

const kinds: Kind[] = [
  {
    table: 'transcripts',
    save: saveOldTranscript,
    find: async () => (await findTranscript(db, videoId, track.key, ANY_TIME))?.id,
    purge: deleteUnusedTranscripts,
  },
  {
    table: 'summaries',
    save: saveOldSummary,
    async find() {
      const id = randomUUID()
      const found = await saveSummary(
        db,
        { id, transcriptId: randomUUID(), mode: 'tldr', model: 'm', content, usage, cacheKey },
        ANY_TIME,
      )
      return found === id ? undefined : found
    },
    purge: deleteUnusedSummaries,
  },
]

describe.each(kinds)('unused $table', ({ table, save, find, purge }) => {
  const purgeOld = () => purge(db, { before: new Date(Date.now() - 86_400_000), limit: 10, after: null })
  const exists = async (id: string) => (await db.query(`SELECT FROM ${table} WHERE id = $1`, [id])).rowCount === 1

  /** Calls `meanwhile` while a statement of the purge that does `change` is being executed, before it is committed. */
  async function purgeWhile(change: 'UPDATE' | 'DELETE', meanwhile: () => Promise<void>) {
    await db.query(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_advisory_xact_lock(1); RETURN coalesce(NEW, OLD); END $$`,
    )
    await db.query(`CREATE TRIGGER wait BEFORE ${change} ON ${table} FOR EACH ROW EXECUTE FUNCTION wait()`)
    try {
      let purging: ReturnType<typeof purgeOld> | undefined
      await db.transaction(async (sql) => {
        await sql.query('SELECT pg_advisory_xact_lock(1)')
        purging = purgeOld()
        await untilBlocked(db)
        await meanwhile()
      })
      return await purging
    } finally {
      await db.query('DROP FUNCTION wait CASCADE')
    }
  }

  test('are deleted', async () => {
    const id = await save()
    expect(await find()).toBe(id)
    expect(await purgeOld()).toEqual({ last: null, deleted: 1 })
    expect(await exists(id)).toBe(false)
  })

  test('are kept while a job of the video is unfinished', async () => {
    const id = await save()
    await storeJob(db, { ...newJob(), videoId })
    expect(await purgeOld()).toEqual({ last: null, deleted: 0 })
    expect(await find()).toBe(id)
  })

  test('are kept if a job that was accepted meanwhile has found them', async () => {
    const id = await save()
    const purged = await purgeWhile('UPDATE', async () => {
      await storeJob(db, { ...newJob(), videoId })
      expect(await find()).toBe(id)
    })
    expect(purged).toEqual({ last: null, deleted: 0 })
    expect(await exists(id)).toBe(true)
  })

  test('are not found by a job that is accepted while they are deleted', async () => {
    const id = await save()
    const purged = await purgeWhile('DELETE', async () => {
      await storeJob(db, { ...newJob(), videoId })
      expect(await find()).toBeUndefined()
    })
    expect(purged).toEqual({ last: null, deleted: 1 })
    expect(await exists(id)).toBe(false)
  })

  test('are deleted later if the purge ended halfway', async () => {
    const id = await save()
    await purgeWhile('UPDATE', async () => void (await storeJob(db, { ...newJob(), videoId })))
    await db.query('DELETE FROM jobs')
    expect(await purgeOld()).toEqual({ last: null, deleted: 1 })
    expect(await exists(id)).toBe(false)
  })
})

test('estimates do not count on what jobs do not find any more', async () => {
  const summaryId = await saveOldSummary()
  const job = await storeJob(db, { ...newJob(), videoId })
  await addJobSummary(db, { jobId: job.id, mode: 'tldr', summaryId, reused: false })
  const find = async () => [
    (await findKnownTranscripts(db, job.userId, [videoId])).length,
    ...(await findOwnSummaries(db, job.userId, [cacheKey])),
  ]
  expect(await find()).toEqual([1, summaryId])
  const hidden = new Date('0001-01-01T00:00:00Z')
  await db.query('UPDATE transcripts SET fetched_at = $1', [hidden])
  await db.query('UPDATE summaries SET created_at = $1', [hidden])
  expect(await find()).toEqual([0, null])
})
