import { randomUUID } from 'node:crypto'
import { newVideoInfo } from '@subtext/contracts/testing'
import { type Db, type FetchedVideo, takeLease } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { saveFetched } from './save-fetched.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

/** Returns the store, and how many videos each of its statements stores. */
function watchSaves(): { watched: Db; saves: number[] } {
  const saves: number[] = []
  const query: Db['query'] = (text, values = []) => {
    if (text.includes('INSERT INTO videos')) saves.push((JSON.parse(String(values.at(-1))) as unknown[]).length)
    return db.query(text, values)
  }
  return { watched: { ...db, query }, saves }
}

async function fetchVideo(cues = 10): Promise<FetchedVideo> {
  const info = newVideoInfo(randomUUID().slice(0, 11))
  const lease = { key: `video:${info.video_id}`, token: randomUUID() }
  await takeLease(db, { ...lease, seconds: 60 })
  const track = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
  const transcript = {
    id: randomUUID(),
    videoId: info.video_id,
    track,
    cues: Array.from({ length: cues }, (_, nth) => ({ startMs: nth * 1_000, durationMs: 900, text: 'cue' })),
  }
  return { lease, info, tracks: [track], askedAt: performance.now(), requestedAt: null, transcript }
}

test('videos that are ready at the same time are stored in one statement, but for long ones', async () => {
  const { watched, saves } = watchSaves()
  const videos = [await fetchVideo(), await fetchVideo(), await fetchVideo(1_001)]
  const heads = await Promise.all(videos.map((video) => saveFetched(watched, video)))
  expect(heads.map((head) => head?.id)).toEqual(videos.map(({ transcript }) => transcript.id))
  expect(saves.sort()).toEqual([1, 2])
})

test('a video that is refused does not affect the others', async () => {
  const { watched } = watchSaves()
  const [bad, ...good] = [await fetchVideo(), await fetchVideo(), await fetchVideo()]
  if (!bad) throw new Error('No video was made.')
  const broken = { ...bad, info: { ...bad.info, title: 'a\u0000b' } }
  const outcomes = await Promise.allSettled([broken, ...good].map((video) => saveFetched(watched, video)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await db.prisma.transcript.count({ where: { id: { in: good.map(({ transcript }) => transcript.id) } } })).toBe(
    2,
  )
})
