import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '@subtext/core/api-keys'
import type { Actor } from '@subtext/core/context'
import {
  askForSource,
  awaitSource,
  createDownloader,
  deleteSource,
  getSource,
  listVideos,
  sourceErrorOf,
  statusOf,
} from '@subtext/core/sources'
import { openPrismaDb, type PrismaDb } from '@subtext/db/prisma'
import { createTestDatabase } from '@subtext/db/testing'
import { type SampleListEntry, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { createNotifier } from '@subtext/queue'
import { testQueue } from '@subtext/queue/testing'
import { createYoutubeSource } from '@subtext/youtube'
import type { ListingOutcome } from '../metrics.ts'
import { createFeedLister } from '../podcasts/list-feed.ts'
import { startSourceLane } from './source-lane.ts'
import type { SourceLaneContext } from './work-on-source.ts'

let platform: VideoPlatform
let db: PrismaDb
let ctx: SourceLaneContext
let api: Parameters<typeof askForSource>[0] & { db: PrismaDb }
let outcomes: ListingOutcome[] = []
const lanes: (() => Promise<void>)[] = []
const closing: (() => Promise<unknown>)[] = []

const ORIGIN = 'http://127.0.0.1:1'
const SILENT = { info() {}, warn() {}, error() {} }

beforeAll(async () => {
  platform = await startVideoPlatform()
  const database = await createTestDatabase()
  db = openPrismaDb({ url: database.url, maxConnections: 12 })
  const queue = testQueue()
  const notifier = createNotifier(queue, ['listing', 'source'])
  closing.push(platform.close, () => notifier.close(), db.close, database.drop)
  const feeds = { origin: ORIGIN, hasSamples: false, checkUrl: async () => null }
  api = { db, clock: () => new Date(), notifier, log: SILENT, feeds }
  ctx = {
    ...api,
    pages: createYoutubeSource({ origin: platform.origin, proxyUrls: [], requestTimeoutMs: 60_000, restMs: 1_000 })
      .pages,
    listFeed: createFeedLister(createDownloader({ allowPrivate: true }), ORIGIN),
    leaseSeconds: 15,
    retrySchedule: [0, 0],
    maxWaitSeconds: 60,
    listingEnded: ({ outcome }) => void outcomes.push(outcome),
  }
})
afterEach(async () => {
  await Promise.all(lanes.splice(0).map((stop) => stop()))
  platform.reset()
  outcomes = []
})
afterAll(async () => {
  for (const close of closing) await close()
})

const start = (changes: Partial<SourceLaneContext> = {}) => {
  const stop = startSourceLane({ ...ctx, ...changes }, 2)
  lanes.push(stop)
  return stop
}
const newActor = async (): Promise<Actor> => {
  const email = `${randomUUID()}@example.org`
  await createApiKey({ db }, { email, plan: 'pro', scopes: ['read', 'write'] })
  const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email } })
  return { userId: id, apiKeyId: null, plan: 'pro', scopes: ['read', 'write'] }
}
const { signal } = new AbortController()
const ask = (actor: Actor, url: string, refresh = false) => askForSource(api, actor, { url, refresh }, signal)
const settle = (actor: Actor, id: string) => awaitSource(api, actor, id, 60, signal)
const list = async (actor: Actor, url: string, refresh = false) => {
  const { source } = await ask(actor, url, refresh)
  return settle(actor, source.id)
}
const read = (actor: Actor, id: string, query: object = {}) =>
  listVideos(api, actor, id, { limit: 100, notProcessed: false, ...query })

const entry = (index: number): SampleListEntry => ({
  id: `w${String(index).padStart(10, '0')}`,
  title: `Video ${index}`,
  seconds: 60,
  published: new Date(Date.now() - index * 3_600_000).toISOString(),
})
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(from + index))
let playlists = 0
const addPlaylist = (entries: SampleListEntry[], id = `PLlane${String(++playlists).padStart(8, '0')}`) => {
  platform.addPlaylist({ id, title: 'A list', owner: 'Somebody', entries })
  return id
}
const browsed = () => platform.count({ kind: 'browse' })

test('lists a playlist once for a hundred accounts that ask at the same time', async () => {
  const id = addPlaylist(many(150))
  const actors = await Promise.all(Array.from({ length: 100 }, newActor))
  const asked = await Promise.all(actors.map((actor) => ask(actor, id)))
  start()
  const [first] = actors
  if (!first) throw new Error('There is no account.')
  const source = await settle(first, asked[0]?.source.id ?? '')
  expect([statusOf(source), source.videosTotal, source.truncated]).toEqual(['ready', 150, false])
  expect(new Set(asked.map(({ source }) => source.id)).size).toBe(100)
  const again = await ask(await newActor(), `https://www.youtube.com/playlist?list=${id}`)
  expect([again.isFresh, statusOf(again.source)]).toEqual([true, 'ready'])
  expect(browsed()).toBe(2)
})

test('gives a channel one ID by whatever name it is asked for', async () => {
  const channel = { id: 'UClane0000000000000000AA', name: 'A channel', names: ['@lane', 'c/Lane'], entries: many(3) }
  platform.addChannel(channel)
  start()
  const actor = await newActor()
  const source = await list(actor, '@lane')
  expect([statusOf(source), source.kind, source.platformId]).toEqual(['ready', 'channel', channel.id])
  for (const url of ['https://youtube.com/c/Lane/videos', channel.id, 'youtube.com/@lane/shorts']) {
    expect((await ask(actor, url)).source.id).toBe(source.id)
  }
  expect(await db.prisma.accountSource.count({ where: { userId: actor.userId } })).toBe(1)
})

test('makes a failed source of a name that leads nowhere', async () => {
  start()
  const { source } = await ask(await newActor(), '@nobody-at-all')
  expect([statusOf(source), sourceErrorOf(source)?.code, sourceErrorOf(source)?.details]).toEqual([
    'failed',
    'SOURCE_UNAVAILABLE',
    { reason: 'not_found' },
  ])
})

test('follows a channel that has moved, under the same ID', async () => {
  platform.addChannel({ id: 'UClane0000000000000000BB', name: 'New', names: [], entries: many(2) })
  platform.addChannel({
    id: 'UClane0000000000000000CC',
    name: 'Old',
    names: [],
    entries: [],
    movedTo: 'UClane0000000000000000BB',
  })
  start()
  const actor = await newActor()
  const source = await list(actor, 'UClane0000000000000000CC')
  expect([statusOf(source), source.title, source.videosTotal]).toEqual(['ready', 'New', 2])
  expect((await ask(actor, 'UClane0000000000000000BB')).source.id).toBe(source.id)
})

test('keeps the whole list when a refresh breaks off, and says why it failed', async () => {
  const id = addPlaylist(many(250))
  start()
  const actor = await newActor()
  const whole = await list(actor, id)
  expect(whole.videosTotal).toBe(250)
  addPlaylist(many(300, 1_000), id)
  // The first page is answered, and none of the others.
  platform.delay({ kind: 'browse', ms: 1 })
  const before = browsed()
  const refreshing = ask(actor, id, true)
  await platform.waitForRequest({ kind: 'browse' })
  while (browsed() === before) await sleep(5)
  platform.failNext({ kind: 'browse', times: 1_000, outcome: { status: 500, body: 'no' } })
  const { source } = await refreshing
  const after = await settle(actor, source.id)
  expect([statusOf(after), after.videosTotal, sourceErrorOf(after)?.code]).toEqual([
    'ready',
    250,
    'UPSTREAM_UNAVAILABLE',
  ])
  expect((await read(actor, source.id)).videos[0]?.videoId).toBe(entry(0).id)
  platform.forgetFaults()
  const mended = await list(actor, id, true)
  expect([mended.videosTotal, mended.error]).toEqual([300, null])
})

test('continues the listing of a worker that has died', async () => {
  const id = addPlaylist(many(10))
  const actor = await newActor()
  const { source } = await ask(actor, id)
  const release = platform.hold({ kind: 'browse' })
  const stuck = start({ leaseSeconds: 1, db: { ...db, query: db.query } })
  await platform.waitForRequest({ kind: 'browse' })
  // Its lease ends as if it had died.
  await db.query(`UPDATE sources SET due_at = now(), lease_token = gen_random_uuid() WHERE platform_id = $1`, [id])
  release()
  start()
  expect(statusOf(await settle(actor, source.id))).toBe('ready')
  await stuck()
})

test('reports a block that lasts as such, and never as missing', async () => {
  const id = addPlaylist(many(10))
  platform.failNext({ kind: 'browse', times: 1_000, outcome: { status: 429, body: 'no' } })
  start()
  const source = await list(await newActor(), id)
  expect([statusOf(source), sourceErrorOf(source)?.code]).toEqual(['failed', 'UPSTREAM_BLOCKED'])
})

test('hands a listing back when the worker stops', async () => {
  const id = addPlaylist(many(10))
  const actor = await newActor()
  const { source } = await ask(actor, id)
  const release = platform.hold({ kind: 'browse' })
  const stop = start()
  await platform.waitForRequest({ kind: 'browse' })
  await stop()
  expect(outcomes).toEqual(['handed_back'])
  release()
  start()
  expect(statusOf(await settle(actor, source.id))).toBe('ready')
})

test('marks what has left a list, and forgets nothing that comes back', async () => {
  const id = addPlaylist(many(3))
  start()
  const actor = await newActor()
  const { id: sourceId } = await list(actor, id)
  addPlaylist([entry(2), entry(0)], id)
  await list(actor, id, true)
  expect((await read(actor, sourceId)).videos.map(({ videoId }) => videoId)).toEqual([entry(2).id, entry(0).id])
  addPlaylist(many(3), id)
  await list(actor, id, true)
  const row = await db.prisma.sourceVideo.findFirstOrThrow({
    where: { videoId: entry(1).id, source: { platformId: id } },
  })
  expect(row.goneAt).toBeNull()
  expect(row.position).toBe(2)
})

test('allows sixty listings an hour, and does not count those of others', async () => {
  const actor = await newActor()
  const other = await newActor()
  const shared = addPlaylist(many(1))
  await ask(other, shared)
  for (let nth = 0; nth < 60; nth++) await ask(actor, addPlaylist(many(1)))
  await ask(actor, shared)
  await expect(ask(actor, addPlaylist(many(1)))).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { quota: 'sources', limit: 60, used: 60 },
  })
})

test('forgets a source of one account only', async () => {
  const id = addPlaylist(many(1))
  start()
  const [one, other] = [await newActor(), await newActor()]
  const [mine, theirs] = [await list(one, id), await list(other, id)]
  await expect(getSource(api, one, theirs.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await deleteSource(api, one, mine.id)
  await expect(getSource(api, one, mine.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(statusOf(await getSource(api, other, theirs.id))).toBe('ready')
})
