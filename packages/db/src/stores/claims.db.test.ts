import { randomUUID } from 'node:crypto'
import { newVideoInfo } from '@subtext/contracts/testing'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import { claimJob } from './claims.ts'
import { claimJobWithinShare, claimOrHoldJob, holdJob } from './job-shares.ts'
import { releaseLease, takeLease } from './leases.ts'
import { saveTranscript } from './transcripts.ts'
import { buildVideoLeaseKey, saveVideo } from './videos.ts'

const { db } = useTestDatabase({ per: 'test' })

const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const HOUR_MS = 3_600_000
const anHourAgo = () => new Date(Date.now() - HOUR_MS)
const newVideoId = () => randomUUID().slice(0, 11)

const saveOne = (videoId: string) => saveVideo(db, { info: newVideoInfo(videoId), tracks: [TRACK] })

/** Claims a new job, looking for a video fetched at or after `notBefore`. */
async function claimNew(overrides: Parameters<typeof storeJob>[1], notBefore = anHourAgo()) {
  const { id } = await storeJob(db, overrides)
  const lease = { jobId: id, token: randomUUID() }
  const claimed = await claimJob(db, lease, 60, notBefore)
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

test('acquires nothing for a job that is not claimed, whose worker has died, or that adds to another one', async () => {
  const { id } = await storeJob(db)
  expect(await claimJob(db, { jobId: randomUUID(), token: randomUUID() }, 60, anHourAgo())).toBeNull()
  await claimJob(db, { jobId: id, token: randomUUID() }, 60)
  expect(await claimJob(db, { jobId: id, token: randomUUID() }, 60, anHourAgo())).toBeNull()
  await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
  const claimed = await claimJob(db, { jobId: id, token: randomUUID() }, 60, anHourAgo())
  expect(claimed).toMatchObject({ deaths: 1, look: { lease: null } })

  const derived = await storeJob(db)
  await db.query('UPDATE jobs SET derived_from = $2 WHERE id = $1', [derived.id, id])
  const added = await claimJob(db, { jobId: derived.id, token: randomUUID() }, 60, anHourAgo())
  expect(added).toMatchObject({ derivedFrom: id, look: { lease: null } })
  expect(await countLeases()).toBe(0)
})

test('of many claims of one video, exactly one acquires the lease', async () => {
  const videoId = newVideoId()
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimNew({ videoId })))
  expect(claims.filter(({ look }) => look?.lease)).toHaveLength(1)
})

test('also looks when an account is limited to its share, but not for a job that is held back', async () => {
  const { userId } = await storeJob(db)
  const claimWithin = async (share: number) => {
    const videoId = newVideoId()
    const { id } = await storeJob(db, { userId, videoId })
    const lease = { jobId: id, token: randomUUID() }
    return { id, key: buildVideoLeaseKey(videoId), lease, share }
  }
  const first = await claimWithin(1)
  const found = await claimOrHoldJob(db, first.lease, 60, first.share, anHourAgo())
  expect(found).toMatchObject({ claimed: { id: first.id, look: { lease: { key: first.key } } } })
  const second = await claimWithin(1)
  expect(await claimJobWithinShare(db, second.lease, 60, second.share, anHourAgo())).toBeNull()
  expect(await claimOrHoldJob(db, second.lease, 60, second.share, anHourAgo())).toEqual({
    held: { userId, lane: 'normal' },
  })
  expect(await claimOrHoldJob(db, second.lease, 60, second.share, anHourAgo())).toBeNull()
  expect(await countLeases()).toBe(1)
  const third = await claimWithin(2)
  expect(await holdJob(db, third.id)).not.toBeNull()
  expect(await claimJobWithinShare(db, third.lease, 60, third.share, anHourAgo())).toMatchObject({
    id: third.id,
    look: { lease: { key: third.key } },
  })
})
