import { randomUUID } from 'node:crypto'
import type { CaptionTrack, Cue, VideoInfo } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { v7 as newId } from 'uuid'
import { completeJobs } from '../jobs/complete-sql.ts'
import { deleteOldJobs } from '../retention/retention-sql.ts'
import { claimStoredJob } from '../testing/index.ts'
import { newStoredResult } from '../testing/stored-result.ts'
import { saveTranscript } from '../transcripts/index.ts'
import { createLibraryFiller } from './backfill.ts'
import { type NewEntry, removeFromLibrary, seedEntries } from './entries-sql.ts'
import { countEntries, findBestCandidates, findNewestCandidates, listLibraryLanguages } from './search-sql.ts'

const { db } = useTestDatabase({ per: 'test', maxConnections: 3 })

const track: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }
const cues: Cue[] = [{ startMs: 0, durationMs: 900, text: 'the harbor' }]
const saveWords = () => saveTranscript(db, { id: randomUUID(), videoId: 'v', track, cues })
const ENTRY: NewEntry = { language: 'en', tsvector: `'harbor':1 'the':1`, isPartial: false }

interface Done {
  userId: string
  videoId?: string
  transcriptId?: string
  entry?: NewEntry | null
  info?: Partial<VideoInfo>
  completedAt?: Date
}

/** Processes a video from its submission to its end. Returns the ID of the job. */
async function process({
  userId,
  videoId = 'v',
  transcriptId,
  entry = ENTRY,
  info = {},
  completedAt = new Date(),
}: Done) {
  const { lease } = await claimStoredJob(db, { id: newId(), userId, videoId })
  const videoInfo = { title: 'Title', channel: { id: 'c', name: 'Channel', url: '' }, published_at: null, ...info }
  const stored = transcriptId ?? (await saveWords()).id
  const result = newStoredResult(lease.jobId, {
    transcriptId: stored,
    cueCount: 1,
    videoInfo: videoInfo as VideoInfo,
    completedAt,
  })
  expect(await completeJobs(db, [{ lease, result, warnings: [], event: null, entry }])).toMatchObject({
    completed: [lease.jobId],
  })
  return lease.jobId
}

const filterOf = (userId: string) => ({ userId, languages: ['en'] })
const queryFor = (wanted: string) => [{ languages: ['en'], wanted, ranked: wanted }]
const find = async (userId: string, wanted = `'harbor'`) =>
  (await findBestCandidates(db, filterOf(userId), queryFor(wanted), { limit: 10 })).map(({ jobId }) => jobId)
const readEntries = () =>
  db.prisma.libraryEntry.findMany({
    select: { jobId: true, isPartial: true, publishedAt: true },
    orderBy: { jobId: 'asc' },
  })

test('a job is found as soon as it has ended, by its account alone', async () => {
  const [userId, other] = [randomUUID(), randomUUID()]
  const jobId = await process({ userId, info: { published_at: '2024-05-06' } })
  await process({ userId: other, entry: { ...ENTRY, tsvector: `'anchor':1` } })
  expect(await find(userId)).toEqual([jobId])
  expect(await find(userId, `'anchor'`)).toEqual([])
  expect(await find(other)).toEqual([])
  expect(await countEntries(db, filterOf(userId))).toBe(1)
  expect(await listLibraryLanguages(db, userId)).toEqual(['en'])
  expect(await findNewestCandidates(db, filterOf(userId), queryFor(`'the'`), { limit: 10 })).toMatchObject([
    { jobId, title: 'Title', channelId: 'c', publishedAt: new Date('2024-05-06') },
  ])
})

test.each(['', 'soon', '0000-01-01', '+012345-01-01T00:00:00Z'])(
  'a time of publication that nobody can read does not keep a job from ending: %j',
  async (published_at) => {
    const userId = randomUUID()
    await process({ userId, info: { published_at } })
    expect(await readEntries()).toMatchObject([{ publishedAt: null }])
  },
)

test('a video has one entry, of its newest job', async () => {
  const userId = randomUUID()
  const first = await claimStoredJob(db, { id: newId(), userId, videoId: 'v' })
  const second = await process({ userId })
  expect(await find(userId)).toEqual([second])
  const result = newStoredResult(first.lease.jobId, { transcriptId: (await saveWords()).id, cueCount: 1 })
  await completeJobs(db, [{ lease: first.lease, result, warnings: [], event: null, entry: ENTRY }])
  expect(await find(userId)).toEqual([second])
  expect(await readEntries()).toHaveLength(1)
})

test('filters by channel and time', async () => {
  const userId = randomUUID()
  const old = await process({ userId, videoId: 'a', info: { published_at: '2020-01-01T00:00:00Z' } })
  const recent = await process({ userId, videoId: 'b', info: { channel: { id: '', name: 'Name', url: '' } } })
  const findWith = async (filter: object) =>
    (await findNewestCandidates(db, { ...filterOf(userId), ...filter }, queryFor(`'harbor'`), { limit: 10 })).map(
      ({ jobId }) => jobId,
    )
  expect(await findWith({ channelId: 'c' })).toEqual([old])
  expect(await findWith({ channelId: 'Name' })).toEqual([recent])
  expect(await findWith({ to: new Date('2020-01-02') })).toEqual([old])
  expect(await findWith({ from: new Date('2020-01-02') })).toEqual([recent])
  expect(await findWith({ languages: [] })).toEqual([recent, old])
})

describe('when a job is deleted', () => {
  /** Processes a video twice, of which the second job is newer, and deletes the newer one. */
  async function deleteNewer({ isSame }: { isSame: boolean }) {
    const userId = randomUUID()
    const transcriptId = (await saveWords()).id
    const jobs = [await process({ userId, transcriptId }), await process({ userId, ...(isSame && { transcriptId }) })]
    const [older = '', newer = ''] = jobs.sort()
    await db.transaction(async (sql) => {
      await removeFromLibrary(sql, [newer])
      await sql.query('DELETE FROM results WHERE job_id = $1', [newer])
      await sql.query('DELETE FROM jobs WHERE id = $1', [newer])
    })
    return { userId, older }
  }

  test('the newest job that is left takes its place with the same words', async () => {
    const { userId, older } = await deleteNewer({ isSame: true })
    expect(await find(userId)).toEqual([older])
    expect(await find(userId, `'anchor'`)).toEqual([])
  })

  test('searches look into the text of the job that takes its place until it is indexed', async () => {
    const { userId, older } = await deleteNewer({ isSame: false })
    expect(await find(userId, `'anchor'`)).toEqual([older])
    await fill()
    expect(await find(userId, `'anchor'`)).toEqual([])
    expect(await find(userId)).toEqual([older])
  })

  test('a video without another job leaves the library', async () => {
    const userId = randomUUID()
    const jobId = await process({ userId })
    await removeFromLibrary(db, [jobId])
    expect(await readEntries()).toEqual([])
  })
})

test('retention removes entries with their jobs, and leaves the place to a job that stays', async () => {
  const userId = randomUUID()
  await process({ userId, videoId: 'gone' })
  const stays = await process({ userId, videoId: 'kept', completedAt: new Date('2099-01-01T00:00:00Z') })
  await process({ userId, videoId: 'kept' })
  const before = new Date(Date.now() + 60_000)
  expect(await deleteOldJobs(db, { before, limit: 100 })).toBe(2)
  expect(await readEntries()).toMatchObject([{ jobId: stays }])
  expect(await find(userId)).toEqual([stays])
})

const ctx = { db, clock: () => new Date(), log: { info() {}, warn() {}, error() {} } }
const fill = (index = async () => ({ tsvector: `'harbor':1`, isPartial: false })) =>
  createLibraryFiller({ ...ctx, db }, index).fill(new AbortController().signal)

describe('the backfill', () => {
  test('adds and indexes jobs from before there was a library', async () => {
    const userId = randomUUID()
    const jobs = [
      await process({ userId, videoId: 'a', entry: null }),
      await process({ userId, videoId: 'b', entry: null, info: { published_at: '2024-05-06' } }),
    ]
    expect(await readEntries()).toEqual([])
    await fill()
    expect((await readEntries()).map(({ jobId }) => jobId)).toEqual([...jobs].sort())
    expect((await find(userId)).sort()).toEqual([...jobs].sort())
    expect((await readEntries()).filter(({ publishedAt }) => publishedAt)).toHaveLength(1)
  })

  test('leaves what cannot be indexed to the text', async () => {
    const userId = randomUUID()
    const jobId = await process({ userId, entry: null })
    await fill(() => Promise.reject(new Error('No memory.')))
    expect(await find(userId, `'anything'`)).toEqual([jobId])
    await fill(() => Promise.reject(new Error('Not tried again.')))
    expect(await readEntries()).toMatchObject([{ isPartial: true }])
  })

  test('an error of the database marks nothing, and the entry is indexed at the next attempt', async () => {
    const userId = randomUUID()
    await process({ userId, entry: null })
    const failing = createLibraryFiller(
      {
        ...ctx,
        db: {
          ...db,
          query: (text, values) =>
            /transcript_parts/.test(text) ? Promise.reject(new Error('Connection lost.')) : db.query(text, values),
        },
      },
      async () => ({ tsvector: `'harbor':1`, isPartial: false }),
    )
    await expect(failing.fill(new AbortController().signal)).rejects.toThrow('Connection lost.')
    expect(await readEntries()).toMatchObject([{ isPartial: true }])
    await db.query('DELETE FROM leases')
    await fill()
    expect(await readEntries()).toMatchObject([{ isPartial: false }])
  })

  test('words that PostgreSQL refuses are looked for in the text', async () => {
    const userId = randomUUID()
    const jobId = await process({ userId, entry: null })
    await fill(async () => ({ tsvector: `'${'x'.repeat(3_000)}':1`, isPartial: false }))
    expect(await find(userId, `'anything'`)).toEqual([jobId])
  })

  test('goes on where it was when its process died', async () => {
    const userId = randomUUID()
    for (const videoId of ['a', 'b', 'c', 'd', 'e']) await process({ userId, videoId, entry: null })
    const dying = new AbortController()
    let indexed = 0
    const index = async () => {
      if (++indexed === 3) {
        dying.abort()
        throw new Error('Killed.')
      }
      return { tsvector: `'harbor':1`, isPartial: false }
    }
    // A round is over after two seconds, however little a busy machine has done.
    const filler = createLibraryFiller(ctx, index)
    while (!dying.signal.aborted) await filler.fill(dying.signal)
    expect((await readEntries()).filter(({ isPartial }) => isPartial)).toHaveLength(3)
    await db.query('DELETE FROM leases')
    let again = 0
    const next = createLibraryFiller(ctx, async () => {
      again++
      return { tsvector: `'harbor':1`, isPartial: false }
    })
    while (again < 3) await next.fill(new AbortController().signal)
    expect(again).toBe(3)
    expect((await readEntries()).filter(({ isPartial }) => isPartial)).toEqual([])
    expect(await find(userId)).toHaveLength(5)
  })

  test('searches look into all jobs that are not indexed yet, and know when their videos were published', async () => {
    const userId = randomUUID()
    for (let nth = 0; nth < 60; nth++) {
      await process({ userId, videoId: `v${nth}`, entry: null, info: { published_at: '2024-05-06T10:00:00Z' } })
    }
    await process({ userId, videoId: 'odd', entry: null, info: { published_at: '2024-02-31T99:00:00Z' } })
    expect(await seedEntries(db, '00000000-0000-0000-0000-000000000000', 100)).not.toBeNull()
    const page = { limit: 100 }
    expect(await findBestCandidates(db, filterOf(userId), queryFor(`'x'`), page)).toHaveLength(61)
    expect(await findNewestCandidates(db, filterOf(userId), queryFor(`'x'`), page)).toHaveLength(61)
    expect(await countEntries(db, { ...filterOf(userId), to: new Date('2024-05-07') })).toBe(60)
  })

  test('keeps the newest job when it comes to an older one', async () => {
    const userId = randomUUID()
    const jobs = [await process({ userId }), await process({ userId })].sort()
    await fill()
    expect(await find(userId)).toEqual([jobs[1]])
  })
})
