import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { createAcceptor } from '@subtext/core/jobs'
import { deleteSource } from '@subtext/core/sources'
import {
  checkSubscription,
  listChecks,
  listItems,
  pauseSubscription,
  queueDigests,
  resumeSubscription,
  retryItem,
} from '@subtext/core/subscriptions'
import { setPlan } from '@subtext/core/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { findThemes } from '@subtext/summarize/digests'
import {
  addChannel,
  api,
  base,
  entry,
  eventsOf,
  follow,
  fresh,
  jobsOf,
  look,
  many,
  newActor,
  start,
  untilItems,
  useSubscriptions,
  worker,
} from '../testing/subscriptions.ts'

const URL = 'https://hooks.example.org/subtext'

useSubscriptions()

test('records the old videos, processes the newest as asked, and new ones once by the feed', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(4))
  const { id } = await follow(actor, channel.id, { catch_up: 1, deliver: { webhook_url: URL } })
  await untilItems(actor, id, [...Array(3).fill('skipped before_subscription'), 'processed'])
  const video = fresh()
  channel.publish(video)
  await look(channel.id)
  await untilItems(actor, id, [...Array(3).fill('skipped before_subscription'), 'processed', 'processed'])
  const { entries } = await listChecks(api(), actor, id, { limit: 10 })
  expect(entries.map(({ method, because, newVideos, error }) => [method, because, newVideos, error])).toEqual([
    ['rss', null, 1, null],
    ['listing', 'first', expect.any(Number), null],
  ])
  const events = await eventsOf(id)
  expect(events.map(({ type }) => type)).toEqual(['subscription.video', 'subscription.video'])
  expect(events[1]?.body.data).toMatchObject({
    subscription_id: id,
    video_id: video.id,
    state: 'processed',
    result: { video_info: { video_id: video.id } },
  })
  const { rows } = await worker.ctx.db.query("SELECT FROM webhook_events WHERE type LIKE 'job.%' AND user_id = $1", [
    actor.userId,
  ])
  expect([rows.length, await jobsOf(actor)]).toEqual([0, [expect.any(String), video.id]])
})

test('skips what the filter does not want, and waits for the details that the feed lacks', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, {
    filter: { min_duration_seconds: 30, title_excludes: ['trailer'] },
    deliver: { webhook_url: URL },
  })
  await untilItems(actor, id, ['skipped before_subscription'])
  channel.publish(fresh({ seconds: 10 }), fresh({ title: 'A TRAILER' }), fresh({ forMembers: true }), fresh())
  await look(channel.id)
  await untilItems(
    actor,
    id,
    [
      'processed',
      'skipped before_subscription',
      'skipped members_only',
      'skipped min_duration_seconds',
      'skipped title_excludes',
    ],
    true,
  )
  expect((await eventsOf(id)).map(({ body }) => body.data.state).sort()).toEqual([
    'processed',
    'skipped',
    'skipped',
    'skipped',
  ])
})

test('looks again if that was asked for while it was looking', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { action: 'notify' })
  const second = await follow(actor, channel.id, { action: 'notify' })
  const old = 'skipped before_subscription'
  await untilItems(actor, id, [old])
  await untilItems(actor, second.id, [old])
  for (let round = 0; round < 5; round++) {
    channel.publish(fresh())
    await checkSubscription(api(), actor, id)
    await sleep(200)
  }
  await untilItems(actor, id, [old, ...Array(5).fill('notified')])
  await untilItems(actor, second.id, [old, ...Array(5).fill('notified')])
})

test('lists a channel whose feed fails, or shows only new videos', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(2), { hasFeed: false })
  const { id } = await follow(actor, channel.id, { action: 'notify' })
  await untilItems(actor, id, Array(2).fill('skipped before_subscription'))
  channel.publish(...Array.from({ length: 3 }, () => fresh()))
  await look(channel.id)
  await untilItems(actor, id, [...Array(2).fill('skipped before_subscription'), ...Array(3).fill('notified')])
  const other = addChannel(many(2))
  const second = await follow(actor, other.id, { action: 'notify' })
  await untilItems(actor, second.id, Array(2).fill('skipped before_subscription'))
  other.publish(...Array.from({ length: 17 }, () => fresh()))
  await look(other.id)
  await untilItems(actor, second.id, [...Array(2).fill('skipped before_subscription'), ...Array(17).fill('notified')])
  const reasons = async (of: string) => (await listChecks(api(), actor, of, { limit: 9 })).entries.map((c) => c.because)
  expect([await reasons(id), await reasons(second.id)]).toEqual([
    ['rss_failed', 'first'],
    ['all_new', 'first'],
  ])
})

test('has items wait for the quota and for the day, and tells once', async () => {
  start()
  const actor = await newActor()
  await worker.ctx.db.query('UPDATE users SET quota_daily = 1 WHERE id = $1', [actor.userId])
  const channel = addChannel(many(3))
  const { id } = await follow(actor, channel.id, { catch_up: 3, deliver: { webhook_url: URL } })
  await untilItems(actor, id, ['processed', 'waiting quota', 'waiting quota'], true)
  const paused = (await eventsOf(id)).filter(({ type }) => type === 'subscription.paused')
  expect(paused.map(({ body }) => body.data.reason)).toEqual(['quota'])
  const limited = await follow(await newActor(), addChannel(many(2)).id, {
    action: 'notify',
    catch_up: 2,
    max_per_day: 1,
  })
  const owner = {
    ...actor,
    userId: (await worker.ctx.db.prisma.subscription.findUniqueOrThrow({ where: { id: limited.id } })).userId,
  }
  await untilItems(owner, limited.id, ['notified', 'waiting max_per_day'], true)
  // The worker has taken both at once: either may be the one of the day.
  const [waiting] = (await listItems(api(), owner, limited.id, { limit: 1, state: 'waiting' })).entries
  await retryItem(api(), owner, limited.id, waiting?.videoId ?? '')
  await untilItems(owner, limited.id, ['notified', 'notified'])
})

test('tries videos without captions again, and fails them in the end', async () => {
  worker.stubs.beforeVideo = async () => {
    throw new ServiceError('TRANSCRIPT_UNAVAILABLE', { details: { reason: 'no_captions' } })
  }
  start({ itemRetrySchedule: [1_800] })
  const actor = await newActor()
  const { id } = await follow(actor, addChannel(many(1)).id, { catch_up: 1, deliver: { webhook_url: URL } })
  await untilItems(actor, id, ['waiting no_captions_yet'])
  const [item] = (await listItems(api(), actor, id, { limit: 1 })).entries
  expect(item?.nextTryAt?.getTime()).toBeGreaterThan(Date.now() + 1_700_000)
  await worker.ctx.db.query('UPDATE subscription_items SET due_at = now() WHERE subscription_id = $1', [id])
  await untilItems(actor, id, ['failed no_captions'])
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['subscription.video'])
  const used = await worker.ctx.db.query('SELECT FROM quota_usage WHERE user_id = $1 AND used > 0', [actor.userId])
  expect(used.rows).toEqual([])
})

test('pauses, resumes with what was missed, and pauses for a lower plan', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { deliver: { webhook_url: URL } })
  await untilItems(actor, id, ['skipped before_subscription'])
  await pauseSubscription(api(), actor, id)
  channel.publish(fresh())
  await look(channel.id)
  await sleep(500)
  await untilItems(actor, id, ['skipped before_subscription'])
  await resumeSubscription(api(), actor, id)
  await untilItems(actor, id, ['skipped before_subscription', 'processed'])
  await setPlan(worker.ctx, actor.email, 'free')
  channel.publish(fresh())
  await look(channel.id)
  await untilItems(actor, id, ['skipped before_subscription', 'processed', 'waiting queued'])
  await waitUntil('the subscription to be paused', async () => {
    const { pausedFor } = await worker.ctx.db.prisma.subscription.findUniqueOrThrow({ where: { id } })
    return pausedFor === 'plan'
  })
  expect((await eventsOf(id)).at(-1)?.body.data.reason).toBe('plan')
})

test('finds words in what is said, and sends messages that chats take', async () => {
  start()
  const actor = await newActor()
  const { id } = await follow(actor, addChannel([entry({ title: 'A <b> & *c*' })]).id, {
    catch_up: 1,
    match: { any: ['TWO', 'nothing of it'] },
    deliver: { webhook_url: URL, format: 'discord' },
  })
  await untilItems(actor, id, ['processed'])
  const [item] = (await listItems(api(), actor, id, { limit: 1 })).entries
  expect(item?.matches).toEqual([{ start: 1, url: expect.stringContaining('t=1'), text: 'two (en)' }])
  const events = await eventsOf(id)
  expect(events.map(({ type }) => type)).toEqual(['subscription.video', 'subscription.matched'])
  expect(events[1]?.body).toEqual({
    content: expect.stringContaining('**Mentioned**'),
    allowed_mentions: { parse: [] },
  })
})

test('processes every video once although its workers die again and again', async () => {
  const actor = await newActor()
  await worker.ctx.db.query('UPDATE users SET quota_daily = 1000, quota_monthly = 1000 WHERE id = $1', [actor.userId])
  const channel = addChannel(many(2))
  let dies = true
  const accept = createAcceptor({ ...base(), producer: { wakeJobs: async () => {} } })
  const stops = [1, 2].map(() =>
    start({
      leaseSeconds: 1,
      async accept(job) {
        const at = await accept(job)
        if (dies) throw new Error('The worker has died after the job was accepted.')
        return at
      },
    }),
  )
  const { id } = await follow(actor, channel.id, { catch_up: 2, deliver: { webhook_url: URL } })
  await sleep(2_500)
  channel.publish(fresh(), fresh())
  await checkSubscription(api(), actor, id)
  await sleep(1_000)
  await stops[0]?.()
  dies = false
  await untilItems(actor, id, Array(4).fill('processed'))
  const jobs = await jobsOf(actor)
  expect([jobs.length, new Set(jobs).size, (await eventsOf(id)).length]).toEqual([4, 4, 4])
})

test('sends a digest of what has ended once, at seven where the account is', async () => {
  start()
  const actor = await newActor()
  await worker.ctx.db.query("UPDATE users SET time_zone = 'Asia/Tokyo' WHERE id = $1", [actor.userId])
  const { id } = await follow(actor, addChannel(many(2)).id, { catch_up: 1, deliver: { email: 'daily' } })
  await untilItems(actor, id, ['skipped before_subscription', 'processed'])
  const now = Date.now()
  const dayStart = Math.floor(now / 86_400_000) * 86_400_000
  // Seven o'clock in Tokyo is ten in the evening, UTC.
  const next = dayStart + 22 * 3_600_000 + (now >= dayStart + 22 * 3_600_000 ? 86_400_000 : 0)
  const queue = (at: number) => queueDigests({ db: worker.ctx.db, clock: () => new Date(), findThemes }, new Date(at))
  await queue(next - 1_000)
  const emails = () => worker.ctx.db.prisma.email.findMany({ where: { userId: actor.userId } })
  expect(await emails()).toEqual([])
  await Promise.all([queue(next), queue(next + 1_000)])
  await queue(next + 2_000)
  expect(await emails()).toMatchObject([
    {
      kind: 'subscription_digest',
      recipient: actor.email,
      data: { source: 'A channel', themes: [], videos: [{ state: 'processed', summary: 'tldr text' }], more: 0 },
    },
  ])
})

test('keeps a source that a subscription follows', async () => {
  const actor = await newActor()
  const { accountSourceId } = await follow(actor, addChannel(many(1)).id)
  await expect(deleteSource(api(), actor, accountSourceId)).rejects.toMatchObject({ code: 'SOURCE_IN_USE' })
})
