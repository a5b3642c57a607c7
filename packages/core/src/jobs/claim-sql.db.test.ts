import { randomUUID } from 'node:crypto'
import { newVideoInfo } from '@subtext/contracts/testing'
import { openDb, type Transactional } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { releaseLease, takeLease } from '../coordination/leases-sql.ts'
import { claimJob, holdJob, storeJob } from '../testing/index.ts'
import { saveTranscript } from '../transcripts/transcripts-sql.ts'
import { buildVideoLeaseKey, saveVideo } from '../transcripts/videos-sql.ts'
import { type ClaimOptions, claimJobs } from './claim-sql.ts'
import { endOwnJob, lockOwnJob } from './end-sql.ts'
import type { Lease } from './job-row.ts'

const database = useTestDatabase({ per: 'test', maxConnections: 4 })
const { db } = database

const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const HOUR_MS = 3_600_000
const anHourAgo = () => new Date(Date.now() - HOUR_MS)
const newVideoId = () => randomUUID().slice(0, 11)

const saveOne = (videoId: string) => saveVideo(db, { info: newVideoInfo(videoId), tracks: [TRACK] })

/** Claims a new job, looking for a video fetched at or after `notBefore`. */
async function claimNew(overrides: Parameters<typeof storeJob>[1], notBefore = anHourAgo()) {
  const { id } = await storeJob(db, overrides)
  const lease = { jobId: id, token: randomUUID() }
  const claimed = await claimJob(db, lease, { notBefore })
  return { look: claimed?.look, token: lease.token, id }
}
const countLeases = async () => (await db.query('SELECT FROM leases')).rowCount

test('acquires the lease on fetching a video that is not stored, under the token of the job', async () => {
  const videoId = newVideoId()
  const { look, token } = await claimNew({ videoId })
  const key = buildVideoLeaseKey(videoId)
  expect(look).toEqual({ video: null, transcripts: [], lease: { key, token, seconds: 60 } })
  expect(await db.query('SELECT key, token, until > now() AS held FROM leases')).toMatchObject({
    rows: [{ key, token, held: true }],
  })
  expect((await claimNew({ videoId })).look?.lease).toBeNull()
  expect(await takeLease(db, { key, token: randomUUID(), seconds: 60 })).toBe('held')
})

test('returns a current video with its transcripts, and acquires nothing', async () => {
  const videoId = newVideoId()
  await saveOne(videoId)
  const cues = [{ startMs: 0, durationMs: 1, text: 'one' }]
  const { id } = await saveTranscript(db, { id: randomUUID(), videoId, track: TRACK, cues })
  const { look } = await claimNew({ videoId })
  expect(look).toMatchObject({ video: { info: { video_id: videoId }, tracks: [TRACK] }, lease: null })
  expect(look?.transcripts).toMatchObject([{ id, track: TRACK, cueCount: 1, fetchedAt: expect.any(Date) }])
  expect(await countLeases()).toBe(0)
})

test.each([
  ['is older than requested', { forceRefresh: false }, new Date(Date.now() + HOUR_MS)],
  ['was fetched before a job that asks for a refresh', { forceRefresh: true }, anHourAgo()],
])('acquires the lease if the stored video %s', async (_, overrides, notBefore) => {
  const videoId = newVideoId()
  await saveOne(videoId)
  // Within one millisecond, nobody can say what was first.
  await db.query("UPDATE videos SET fetched_at = fetched_at - interval '1 minute'")
  const { look } = await claimNew({ videoId, ...overrides }, notBefore)
  expect(look).toMatchObject({ video: { info: { video_id: videoId } }, lease: { key: buildVideoLeaseKey(videoId) } })
})

test('leaves a lease to findVideoOrAcquire that another holder had a moment ago', async () => {
  const videoId = newVideoId()
  const other = { key: buildVideoLeaseKey(videoId), token: randomUUID(), seconds: 60 }
  await takeLease(db, other)
  await releaseLease(db, other)
  expect((await claimNew({ videoId })).look?.lease).toBeNull()
  expect(await db.query('SELECT token FROM leases')).toMatchObject({ rows: [{ token: other.token }] })
})

test('acquires nothing for a job that is not claimed, whose worker has died, or that is derived from another one', async () => {
  const { id } = await storeJob(db)
  expect(await claimJob(db, { jobId: randomUUID(), token: randomUUID() }, { notBefore: anHourAgo() })).toBeNull()
  await claimJob(db, { jobId: id, token: randomUUID() })
  expect(await claimJob(db, { jobId: id, token: randomUUID() }, { notBefore: anHourAgo() })).toBeNull()
  await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
  const claimed = await claimJob(db, { jobId: id, token: randomUUID() }, { notBefore: anHourAgo() })
  expect(claimed).toMatchObject({ deaths: 1, look: { lease: null } })

  const derived = await storeJob(db)
  await db.query('UPDATE jobs SET derived_from = $2 WHERE id = $1', [derived.id, id])
  const fromSource = await claimJob(db, { jobId: derived.id, token: randomUUID() }, { notBefore: anHourAgo() })
  expect(fromSource).toMatchObject({ derivedFrom: id, look: { lease: null } })
  expect(await countLeases()).toBe(0)
})

test('of many claims of one video, exactly one acquires the lease', async () => {
  const videoId = newVideoId()
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimNew({ videoId })))
  expect(claims.filter(({ look }) => look?.lease)).toHaveLength(1)
})

describe('claimJobs', () => {
  const OPTIONS = { leaseSeconds: 60, notBefore: new Date(Date.now() - HOUR_MS) }
  const leaseOf = ({ id }: { id: string }) => ({ jobId: id, token: randomUUID() })
  const claimAll = async (leases: ReturnType<typeof leaseOf>[], sql: Transactional = db) =>
    (await claimJobs(sql, leases, OPTIONS)).map((outcome) => (outcome && 'claimed' in outcome ? outcome.claimed : null))

  test('claims each of several jobs like one alone, and acquires one lease for each video', async () => {
    const [known, unknown] = [newVideoId(), newVideoId()]
    await saveOne(known)
    const stored = [known, unknown, unknown, known].map((videoId) => storeJob(db, { videoId }))
    const leases = (await Promise.all(stored)).map(leaseOf)
    const claimed = await claimAll(leases)
    expect(claimed.map((row) => row?.id)).toEqual(leases.map(({ jobId }) => jobId))
    expect(claimed.map((row) => row?.look?.video?.info.video_id)).toEqual([known, undefined, undefined, known])
    const acquired = claimed.flatMap((row) => (row?.look?.lease ? [row] : []))
    expect(acquired).toHaveLength(1)
    expect(acquired[0]).toMatchObject({ videoId: unknown, look: { lease: { key: buildVideoLeaseKey(unknown) } } })
    const tokens = (await db.prisma.job.findMany()).map(({ leaseToken }) => leaseToken)
    expect(tokens.sort()).toEqual(leases.map(({ token }) => token).sort())

    const single = await claimNew({ videoId: known })
    const without = ['id', 'user_id', 'video_id', 'lease_token', 'wake_at', 'created_at', 'started_at', 'updated_at']
    const { rows } = await db.query<{ row: unknown }>(
      'SELECT to_jsonb(j) - $2::text[] AS row FROM jobs j WHERE video_id = $1',
      [known, without],
    )
    expect(rows).toHaveLength(3)
    expect(rows.map(({ row }) => row)).toEqual(rows.map(() => rows[0]?.row))
    expect(single.look).toEqual(claimed[0]?.look)
  })

  test('claims each job once, and none that another worker has', async () => {
    const [free, taken] = [await storeJob(db), await storeJob(db)]
    await claimJob(db, leaseOf(taken))
    const claims = (await Promise.all([1, 2, 3].map(() => claimAll([free, taken].map(leaseOf))))).flat()
    expect(claims.flatMap((row) => (row ? [row.id] : []))).toEqual([free.id])
    expect(await db.prisma.job.findUnique({ where: { id: free.id } })).toMatchObject({ attempts: 1, deaths: 0 })
  })

  test.each([true, false])('waits for the owner who may cancel a job, and claims it if not (%s)', async (cancels) => {
    const [free, wanted] = [await storeJob(db), await storeJob(db)]
    let claiming: ReturnType<typeof claimAll> | undefined
    await db.transaction(async (sql) => {
      await lockOwnJob(sql, wanted.userId, wanted.id)
      claiming = claimAll([free, wanted].map(leaseOf))
      await untilBlocked(db)
      const end = { status: 'failed' as const, error: null, warnings: [], completedAt: new Date() }
      if (cancels) await endOwnJob(sql, wanted.userId, wanted.id, end)
    })
    expect((await claiming)?.map((row) => row?.id)).toEqual([free.id, cancels ? undefined : wanted.id])
  })

  test('is not planned again for each call, however many jobs there are', async () => {
    const lone = openDb({ url: database.url, maxConnections: 1 })
    for (let call = 0; call < 8; call++) {
      const leases = Array.from({ length: 1 + (call % 5) }, () => leaseOf({ id: randomUUID() }))
      await claimAll(leases, lone)
    }
    const { rows } = await lone.query<{ again: number }>(
      `SELECT generic_plans::int AS again FROM pg_prepared_statements WHERE statement LIKE '%UPDATE jobs%' AND statement NOT LIKE '%pg_prepared%'`,
    )
    await lone.close()
    expect(rows).toEqual([{ again: 3 }])
  })
})

test('also looks when an account is limited to its share, but not for a job that is held back', async () => {
  const { userId } = await storeJob(db)
  const claimWithin = async (share: number) => {
    const videoId = newVideoId()
    const { id } = await storeJob(db, { userId, videoId })
    const lease = { jobId: id, token: randomUUID() }
    return { id, key: buildVideoLeaseKey(videoId), lease, options: { leaseSeconds: 60, notBefore: anHourAgo(), share } }
  }
  const claimOrHold = async ({ lease, options }: { lease: Lease; options: ClaimOptions }) =>
    (await claimJobs(db, [lease], { ...options, hold: true }))[0]
  const first = await claimWithin(1)
  expect(await claimOrHold(first)).toMatchObject({ claimed: { id: first.id, look: { lease: { key: first.key } } } })
  const second = await claimWithin(1)
  expect(await claimJob(db, second.lease, second.options)).toBeNull()
  expect(await claimOrHold(second)).toEqual({ held: { userId, lane: 'normal' } })
  expect(await claimOrHold(second)).toBeNull()
  expect(await countLeases()).toBe(1)
  const third = await claimWithin(2)
  expect(await holdJob(db, third.id)).not.toBeNull()
  expect(await claimJob(db, third.lease, third.options)).toMatchObject({
    id: third.id,
    look: { lease: { key: third.key } },
  })
})
