import { randomUUID } from 'node:crypto'
import type { CaptionTrack, Cue, VideoInfo } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { openDb } from '../client.ts'
import { takeLease } from './leases.ts'
import { type FetchedVideo, findTranscript, readCues, saveFetchedVideos, saveTranscript } from './transcripts.ts'
import { findVideo } from './videos.ts'

const database = useTestDatabase({ maxConnections: 2 })
const { db } = database

const ANY_TIME = new Date(0)
const track: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }
const cues: Cue[] = Array.from({ length: 1_500 }, (_, nth) => ({
  startMs: nth * 1_000,
  durationMs: 900,
  text: `cue ${nth}`,
}))

const newVideo = () => ({ info: { video_id: randomUUID() } as VideoInfo, tracks: [track] })
const newTranscript = (videoId: string) => ({ id: randomUUID(), videoId, track, cues })
const newLease = ({ info }: { info: VideoInfo }) => ({ key: `video:${info.video_id}`, token: randomUUID() })

async function readAll(transcriptId: string): Promise<Cue[]> {
  const all: Cue[] = []
  for await (const part of readCues(db, transcriptId, cues.length)) all.push(...part)
  return all
}

test('stores each of several videos whose leases are held, and releases only these', async () => {
  const videos = [newVideo(), newVideo(), newVideo(), newVideo()]
  const [, lost, known] = videos
  const fetched: FetchedVideo[] = videos.map((video) => ({
    ...video,
    askedAt: performance.now(),
    requestedAt: null,
    lease: newLease(video),
    transcript: newTranscript(video.info.video_id),
  }))
  for (const { lease } of fetched) await takeLease(db, { ...lease, seconds: 60 })
  await db.query('UPDATE leases SET token = gen_random_uuid() WHERE key = $1', [fetched[1]?.lease.key])
  const stored = await saveTranscript(db, newTranscript(known?.info.video_id ?? ''))
  if (fetched[2]) fetched[2].transcript = stored
  const heads = await saveFetchedVideos(db, fetched)
  expect(heads.map((head) => head?.id ?? null)).toEqual(
    fetched.map(({ transcript }, nth) => (nth === 1 ? null : transcript.id)),
  )
  for (const [nth, { info, tracks, transcript }] of fetched.entries()) {
    const video = await findVideo(db, info.video_id)
    expect(video).toEqual(nth === 1 ? null : { info, tracks, fetchedAt: expect.any(Date) })
    if ('cues' in transcript && nth !== 1) {
      expect(await readAll(transcript.id)).toEqual(transcript.cues)
    }
  }
  expect(await findTranscript(db, lost?.info.video_id ?? '', track.key, ANY_TIME)).toBeNull()
  const { rows } = await db.query<{ key: string }>(
    'SELECT key FROM leases WHERE until > now() AND key = ANY ($1::text[])',
    [fetched.map(({ lease }) => lease.key)],
  )
  expect(rows).toEqual([{ key: fetched[1]?.lease.key }])
})

test('is not planned again for each call, however many videos there are', async () => {
  const lone = openDb({ url: database.url, maxConnections: 1 })
  for (let call = 0; call < 8; call++) {
    const videos = Array.from({ length: 1 + (call % 5) }, newVideo)
    const fetched = videos.map((video) => ({
      ...video,
      askedAt: performance.now(),
      requestedAt: null,
      lease: newLease(video),
      transcript: newTranscript(video.info.video_id),
    }))
    await saveFetchedVideos(lone, fetched)
  }
  const { rows } = await lone.query<{ again: number }>(
    `SELECT generic_plans::int AS again FROM pg_prepared_statements WHERE statement LIKE '%INTO videos%' AND statement NOT LIKE '%pg_prepared%'`,
  )
  await lone.close()
  expect(rows).toEqual([{ again: 3 }])
})
