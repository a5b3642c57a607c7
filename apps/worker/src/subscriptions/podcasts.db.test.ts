import { readCaptionFile } from '@subtext/captions'
import { createDownloader } from '@subtext/core/sources'
import { listChecks, listItems, pauseSubscription, resumeSubscription } from '@subtext/core/subscriptions'
import { waitUntil } from '@subtext/embedded/testing'
import { createFeedLister } from '../podcasts/list-feed.ts'
import { createEpisodeOpener } from '../podcasts/open-episode.ts'
import { startPodcast, type TestEpisode } from '../testing/podcast.ts'
import {
  api,
  eventsOf,
  follow,
  jobsOf,
  look,
  newActor,
  start,
  untilItems,
  useSubscriptions,
  worker,
} from '../testing/subscriptions.ts'

const WEBHOOK = 'https://hooks.example.org/subtext'
const OLD = new Date(Date.now() - 86_400_000)

useSubscriptions()

let episodes: TestEpisode[]
let podcast: Awaited<ReturnType<typeof startPodcast>>
beforeEach(async () => {
  episodes = [{ title: 'Old', hasTranscript: true, published: OLD }]
  podcast = await startPodcast(episodes)
})
afterEach(() => podcast.close())

const download = createDownloader({ allowPrivate: true })
const startPodcasts = (changes: Parameters<typeof start>[0] = {}) => {
  worker.ctx.openEpisode = createEpisodeOpener(download, async (body) => readCaptionFile(body, { pages: true }))
  return start({ listFeed: createFeedLister(download, 'https://api.example.org'), ...changes })
}
const publish = async (...added: TestEpisode[]) => {
  episodes.unshift(...added)
  await look(podcast.url)
}
const itemsOf = async (actor: Awaited<ReturnType<typeof newActor>>, id: string) =>
  (await listItems(api(), actor, id, { limit: 10 })).entries
const makeDue = (id: string) =>
  worker.ctx.db.query("UPDATE subscription_items SET due_at = now() WHERE subscription_id = $1 AND state = 'waiting'", [
    id,
  ])

const triesOf = async (id: string) => {
  const { rows } = await worker.ctx.db.query<{ tries: number }>(
    "SELECT tries FROM subscription_items WHERE subscription_id = $1 AND state = 'waiting'",
    [id],
  )
  return rows[0]?.tries
}

test('processes a new episode once, and tells of it with its file and the moments in it', async () => {
  startPodcasts()
  const actor = await newActor()
  const { id } = await follow(actor, podcast.url, {
    filter: { types: ['episode'] },
    match: { any: ['bridge'] },
    deliver: { webhook_url: WEBHOOK },
  })
  await untilItems(actor, id, ['skipped before_subscription'])
  await publish({ title: 'New', hasTranscript: true })
  await untilItems(actor, id, ['skipped before_subscription', 'processed'])
  await publish()
  const checksOf = async () => (await listChecks(api(), actor, id, { limit: 10 })).entries
  await waitUntil('the feed to be read a third time', async () => (await checksOf()).length === 3)
  const videoUrl = podcast.enclosureOf('New')
  const [item] = await itemsOf(actor, id)
  const matches = [{ start: 5, url: `${videoUrl}#t=5`, text: 'The bridge is old.' }]
  expect(item).toMatchObject({ title: 'New', type: 'episode', videoUrl, matches })
  expect(await jobsOf(actor)).toEqual([item?.videoId])
  const told = (await eventsOf(id)).map(({ type, body }) => [type, body.data.video_url, body.data.matches])
  expect(told).toEqual([
    ['subscription.video', videoUrl, undefined],
    ['subscription.matched', videoUrl, matches],
  ])
  const checks = await checksOf()
  expect(checks.map(({ method, because }) => [method, because])).toEqual([
    ['listing', 'feed'],
    ['listing', 'feed'],
    ['listing', 'first'],
  ])
  expect(checks.slice(0, 2).map(({ newVideos }) => newVideos)).toEqual([0, 1])
})

test('tries an episode without a transcript again, which fails in the end and counts as no video', async () => {
  startPodcasts({ itemRetrySchedule: [1_800] })
  const actor = await newActor()
  const { id } = await follow(actor, podcast.url, { deliver: { webhook_url: WEBHOOK } })
  await untilItems(actor, id, ['skipped before_subscription'])
  await publish({ title: 'Silent', hasTranscript: false })
  await untilItems(actor, id, ['skipped before_subscription', 'waiting no_captions_yet'])
  await makeDue(id)
  await untilItems(actor, id, ['skipped before_subscription', 'failed no_captions'])
  const told = (await eventsOf(id)).map(({ body }) => body.data)
  expect(told).toEqual([
    expect.objectContaining({ state: 'failed', reason: 'no_captions', video_url: podcast.enclosureOf('Silent') }),
  ])
  expect([told[0].job_id, await jobsOf(actor)]).toEqual([undefined, []])
  const used = await worker.ctx.db.query('SELECT FROM quota_usage WHERE user_id = $1 AND used > 0', [actor.userId])
  expect(used.rows).toEqual([])
})

test('processes an episode at the check that finds its transcript', async () => {
  startPodcasts()
  const actor = await newActor()
  const { id } = await follow(actor, podcast.url)
  await untilItems(actor, id, ['skipped before_subscription'])
  const late = { title: 'Late', hasTranscript: false }
  await publish(late)
  await untilItems(actor, id, ['skipped before_subscription', 'waiting no_captions_yet'])
  await makeDue(id)
  await waitUntil('the second try', async () => (await triesOf(id)) === 2)
  late.hasTranscript = true
  await publish()
  await untilItems(actor, id, ['skipped before_subscription', 'processed'])
})

test('processes an episode whose transcript came while it was paused, also when it has left the feed since', async () => {
  startPodcasts()
  const actor = await newActor()
  const { id } = await follow(actor, podcast.url)
  await untilItems(actor, id, ['skipped before_subscription'])
  const late = { title: 'Late', hasTranscript: false, published: OLD }
  await publish(late)
  await untilItems(actor, id, ['skipped before_subscription', 'waiting no_captions_yet'])
  await pauseSubscription(api(), actor, id)
  const other = await newActor()
  const { id: second } = await follow(other, podcast.url)
  await untilItems(other, second, Array(2).fill('skipped before_subscription'))
  late.hasTranscript = true
  await publish({ title: 'Next', hasTranscript: true })
  await untilItems(other, second, [...Array(2).fill('skipped before_subscription'), 'processed'])
  episodes.splice(episodes.indexOf(late), 1)
  await publish({ title: 'Last', hasTranscript: true })
  await untilItems(other, second, [...Array(2).fill('skipped before_subscription'), 'processed', 'processed'])
  await resumeSubscription(api(), actor, id)
  await makeDue(id)
  await untilItems(actor, id, ['skipped before_subscription', 'processed', 'processed', 'processed'])
})
