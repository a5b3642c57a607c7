import { randomUUID } from 'node:crypto'
import type { CaptionTrack, Cue, VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { type LeaseRequest, takeLease } from '../coordination/leases-sql.ts'
import {
  type FetchedVideo,
  findCueStarts,
  findTranscript,
  readCues,
  saveFetchedVideo,
  saveTranscript,
} from './transcripts-sql.ts'
import { findTranscriptOf, findVideo, findVideoOrAcquire, saveVideo } from './videos-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

const ANY_TIME = new Date(0)
const track: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }
const cuesOf = (count: number): Cue[] =>
  Array.from({ length: count }, (_, index) => ({ startMs: index * 1_000, durationMs: 900, text: `cue ${index + 1}` }))

async function save(cues: Cue[], videoId = randomUUID(), key = '.en') {
  const head = await saveTranscript(db, { id: randomUUID(), videoId, track: { ...track, key }, cues })
  return { ...head, videoId }
}
async function read(id: string, count: number): Promise<Cue[][]> {
  const parts: Cue[][] = []
  for await (const part of readCues(db, id, count)) parts.push(part)
  return parts
}

describe('a transcript', () => {
  test.each([
    [1, [1]],
    [999, [999]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
    [5_000, [1_000, 1_000, 1_000, 1_000, 1_000]],
  ])('reads %i cues back unchanged, in parts of limited size', async (count, sizes) => {
    const cues = cuesOf(count)
    const { id } = await save(cues)
    const parts = await read(id, count)
    expect(parts.map((part) => part.length)).toEqual(sizes)
    expect(parts.flat()).toEqual(cues)
  })

  test('splits long cues into parts with fewer of them', async () => {
    const cues = cuesOf(100).map((cue) => ({ ...cue, text: cue.text.padEnd(10_000, '.') }))
    const { id } = await save(cues)
    const parts = await read(id, 70)
    expect(parts.map((part) => part.length)).toEqual([14, 14, 14, 14, 14])
    expect(parts.flat()).toEqual(cues.slice(0, 70))
    const starts = await findCueStarts(db, id, [14, 15, 100, 101])
    expect(starts).toEqual(
      new Map([
        [14, 13_000],
        [15, 14_000],
        [100, 99_000],
      ]),
    )
  })

  test('finds the starts of segments, and leaves out missing ones', async () => {
    const { id } = await save(cuesOf(2_500))
    const starts = await findCueStarts(db, id, [2_500, 1, 1_000, 1_001, 2_501, 9_999, 1])
    expect([...starts].sort(([a], [b]) => a - b)).toEqual([
      [1, 0],
      [1_000, 999_000],
      [1_001, 1_000_000],
      [2_500, 2_499_000],
    ])
    expect(await findCueStarts(db, id, [])).toEqual(new Map())
  })

  test.each([
    [0, []],
    [1, [1]],
    [1_000, [1_000]],
    [1_500, [1_000, 500]],
    [2_000, [1_000, 1_000]],
  ])('reads no further than cue %i', async (count, sizes) => {
    const cues = cuesOf(2_500)
    const { id } = await save(cues)
    const parts = await read(id, count)
    expect(parts.map((part) => part.length)).toEqual(sizes)
    expect(parts.flat()).toEqual(cues.slice(0, count))
  })

  test('keeps every character a text can contain, and its size in bytes', async () => {
    const texts = ['日本語', 'مرحبا', '👩‍👩‍👧', '\' " \\ % $1', '\u2028\u0000\u200d', '<b>&amp;', 'x'.repeat(20_000)]
    const cues = texts.map((text, index) => ({ startMs: index, durationMs: 0, text }))
    const { id, textBytes, cueCount } = await save(cues)
    expect((await read(id, cues.length)).flat()).toEqual(cues)
    expect({ textBytes, cueCount }).toEqual({ textBytes: Buffer.byteLength(texts.join('')), cueCount: texts.length })
  })

  test('throws when more cues are requested than stored', async () => {
    const { id } = await save(cuesOf(3))
    await expect(read(id, 4)).rejects.toThrow(id)
    await expect(read(randomUUID(), 1)).rejects.toThrow('part 0')
  })

  test('stores a transcript completely or not at all', async () => {
    const cues = [{ startMs: 0, durationMs: 1, text: 'a' }]
    const id = randomUUID()
    await db.query('ALTER TABLE transcript_parts ADD CONSTRAINT refuse CHECK (false) NOT VALID')
    await expect(saveTranscript(db, { id, videoId: 'v', track, cues })).rejects.toThrow('refuse')
    await db.query('ALTER TABLE transcript_parts DROP CONSTRAINT refuse')
    expect(await findTranscript(db, 'v', track.key, ANY_TIME)).toBeNull()
  })
})

describe('saveFetchedVideo', () => {
  const saveNow = (
    sql: Sql,
    lease: LeaseRequest,
    video: ReturnType<typeof newVideo>,
    transcript: FetchedVideo['transcript'],
  ) => saveFetchedVideo(sql, { lease, ...video, askedAt: performance.now(), requestedAt: null, transcript })
  const newVideo = () => ({ info: { video_id: randomUUID() } as VideoInfo, tracks: [track] })
  const newTranscript = (videoId: string) => ({ id: randomUUID(), videoId, track, cues: cuesOf(1_500) })
  const newLease = (video: { info: VideoInfo }) => ({
    key: `video:${video.info.video_id}`,
    token: randomUUID(),
    seconds: 60,
  })
  const ANY_AGE = new Date(0)

  test('stores the video and the transcript, and releases the lease', async () => {
    const video = newVideo()
    const [lease, next] = [newLease(video), newLease(video)]
    const { video_id: videoId } = video.info
    const nothing = { video: null, transcripts: [] }
    expect(await findVideoOrAcquire(db, videoId, ANY_AGE, lease)).toEqual({ ...nothing, lease: 'new' })
    expect(await findVideoOrAcquire(db, videoId, ANY_AGE, next)).toEqual({ ...nothing, lease: 'held' })
    const transcript = newTranscript(videoId)
    const head = await saveNow(db, lease, video, transcript)
    expect(head).toMatchObject({ id: transcript.id, cueCount: 1_500 })
    expect(await findTranscript(db, videoId, track.key, ANY_TIME)).toEqual(head)
    expect((await read(transcript.id, 1_500)).flat()).toEqual(transcript.cues)
    const fetchedAt = expect.any(Date)
    const found = { video: { ...video, fetchedAt }, transcripts: [{ ...head, fetchedAt }] }
    expect(await findVideoOrAcquire(db, videoId, ANY_AGE, next)).toEqual({ ...found, lease: 'held' })
    const later = new Date(Date.now() + 60_000)
    expect(await findVideoOrAcquire(db, videoId, later, next)).toEqual({ ...found, lease: 'taken over' })
  })

  test('stores when the platform was asked, not when the answer was stored', async () => {
    const video = newVideo()
    const lease = newLease(video)
    const transcript = newTranscript(video.info.video_id)
    const askedAt = Date.now() - 90_000
    await takeLease(db, lease)
    const asked = { askedAt: performance.now() - 90_000, requestedAt: null }
    await saveFetchedVideo(db, { lease, ...video, ...asked, transcript })
    const { rows } = await db.query<{ at: Date }>(
      `SELECT fetched_at AS at FROM transcripts WHERE id = $1 UNION ALL SELECT fetched_at FROM videos WHERE id = $2`,
      [transcript.id, video.info.video_id],
    )
    for (const { at } of rows) expect(Math.abs(at.getTime() - askedAt)).toBeLessThan(30_000)
    expect(rows).toHaveLength(2)
  })

  test.each([
    ['as no older than its request, even if the clocks of the servers differ', -5_000, true],
    ['not in the future, so that a later refresh reads again', 5_000, false],
  ])('stores a refresh %s', async (_, aheadMs, isFound) => {
    const video = newVideo()
    const lease = newLease(video)
    const requestedAt = new Date(Date.now() + aheadMs)
    await takeLease(db, lease)
    const asked = { askedAt: performance.now() - 60_000, requestedAt }
    await saveFetchedVideo(db, { lease, ...video, ...asked, transcript: newTranscript(video.info.video_id) })
    const later = new Date(Math.max(requestedAt.getTime(), Date.now() + 1_000))
    const notBefore = isFound ? requestedAt : later
    expect((await findTranscript(db, video.info.video_id, track.key, notBefore)) !== null).toBe(isFound)
    const { fetchedAt } = (await findVideo(db, video.info.video_id)) ?? {}
    expect(fetchedAt && fetchedAt >= notBefore).toBe(isFound)
  })

  test('may be repeated, and updates the video alone if the transcript is stored', async () => {
    const video = newVideo()
    const lease = newLease(video)
    await takeLease(db, lease)
    const transcript = newTranscript(video.info.video_id)
    const heads = [1, 2].map(() => saveNow(db, lease, video, transcript))
    const [first, second] = await Promise.all(heads)
    expect(second).toEqual(first)
    if (!first) throw new Error('The transcript was not stored.')
    expect(await saveNow(db, lease, { ...video, tracks: [] }, first)).toEqual(first)
    expect(await findVideo(db, video.info.video_id)).toMatchObject({ tracks: [] })
    expect(await db.prisma.transcript.count({ where: { videoId: video.info.video_id } })).toBe(1)
  })

  test('stores nothing under a lease that another worker has taken over', async () => {
    const video = newVideo()
    const [lost, lease] = [newLease(video), newLease(video)]
    await takeLease(db, { ...lost, seconds: -1 })
    await takeLease(db, lease)
    const { video_id: videoId } = video.info
    expect(await saveNow(db, lost, video, newTranscript(videoId))).toBeNull()
    expect(await findVideo(db, videoId)).toBeNull()
    expect(await findTranscript(db, videoId, track.key, ANY_TIME)).toBeNull()
    expect(await takeLease(db, lost)).toBe('held')
  })

  test('a worker that asks while another one stores is told to look again', async () => {
    const video = newVideo()
    const [lease, next] = [newLease(video), newLease(video)]
    const { video_id: videoId } = video.info
    await takeLease(db, lease)
    let asking: ReturnType<typeof findVideoOrAcquire> | undefined
    await db.transaction(async (sql) => {
      await saveNow(sql, lease, video, newTranscript(videoId))
      asking = findVideoOrAcquire(db, videoId, ANY_AGE, next)
      await untilBlocked(db)
    })
    // Its statement began before the other one's was committed.
    expect(await asking).toEqual({ video: null, transcripts: [], lease: 'taken over' })
    expect(await findVideoOrAcquire(db, videoId, ANY_AGE, next)).toMatchObject({
      transcripts: [{ track }],
    })
  })
})

test('finds the newest transcript of a track with the video, however many tracks are stored', async () => {
  const videoId = randomUUID()
  const keys = Array.from({ length: 8 }, (_, nth) => `track-${nth}`)
  for (const key of keys) {
    const save = () => saveTranscript(db, { id: randomUUID(), videoId, track: { ...track, key }, cues: cuesOf(1) })
    const older = await save()
    await save()
    // Two that are stored within a millisecond are equally new.
    await db.query(`UPDATE transcripts SET fetched_at = now() - interval '1 h' WHERE id = $1`, [older.id])
  }
  const lease = { key: randomUUID(), token: randomUUID(), seconds: 60 }
  const known = await findVideoOrAcquire(db, videoId, ANY_TIME, lease)
  for (const notBefore of [ANY_TIME, new Date(Date.now() + 60_000)]) {
    for (const trackKey of [...keys, 'no such track']) {
      expect(await findTranscriptOf(db, known, { videoId, trackKey, notBefore })).toEqual(
        await findTranscript(db, videoId, trackKey, notBefore),
      )
    }
  }
})

describe('findTranscript', () => {
  test('finds a transcript by video and track', async () => {
    const { videoId, ...head } = await save(cuesOf(2))
    expect(await findTranscript(db, videoId, '.en', ANY_TIME)).toEqual(head)
    expect(await findTranscript(db, videoId, 'a.en', ANY_TIME)).toBeNull()
    expect(await findTranscript(db, randomUUID(), '.en', ANY_TIME)).toBeNull()
  })

  test('finds the newest transcript, if it was fetched at or after the given time', async () => {
    const older = await save(cuesOf(1))
    await db.query(`UPDATE transcripts SET fetched_at = now() - interval '1 h' WHERE id = $1`, [older.id])
    const halfAnHourAgo = new Date(Date.now() - 1_800_000)
    expect((await findTranscript(db, older.videoId, '.en', ANY_TIME))?.id).toBe(older.id)
    expect(await findTranscript(db, older.videoId, '.en', halfAnHourAgo)).toBeNull()
    const newer = await save(cuesOf(1), older.videoId)
    expect((await findTranscript(db, older.videoId, '.en', ANY_TIME))?.id).toBe(newer.id)
    expect((await findTranscript(db, older.videoId, '.en', halfAnHourAgo))?.id).toBe(newer.id)
    expect((await read(older.id, 1)).flat()).toHaveLength(1)
  })
})

describe('a video', () => {
  const info = (title: string): VideoInfo => ({
    video_id: 'dQw4w9WgXcQ',
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    title,
    channel: { id: 'UC1', name: 'c', url: 'https://www.youtube.com/channel/UC1' },
    description: '',
    published_at: null,
    duration_seconds: 5,
    thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
    language: null,
    is_live_archive: false,
    chapters: [{ title: 'one', start: 0 }],
  })

  test('stores a video as the platform last described it', async () => {
    expect(await findVideo(db, 'dQw4w9WgXcQ')).toBeNull()
    await saveVideo(db, { info: info("first ' \u{1F600}"), tracks: [track] })
    const first = await findVideo(db, 'dQw4w9WgXcQ')
    expect(first).toEqual({ info: info("first ' \u{1F600}"), tracks: [track], fetchedAt: expect.any(Date) })
    await db.query(`UPDATE videos SET fetched_at = now() - interval '1 h'`)
    await saveVideo(db, { info: info('second'), tracks: [] })
    const second = await findVideo(db, 'dQw4w9WgXcQ')
    expect(second).toMatchObject({ info: { title: 'second' }, tracks: [] })
    expect(second?.fetchedAt.getTime()).toBeGreaterThanOrEqual(first?.fetchedAt.getTime() ?? Infinity)
  })
})
