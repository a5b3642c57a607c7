import { checkSubscription, listItems, queueDigests } from '@subtext/core/subscriptions'
import { setPlan } from '@subtext/core/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { findThemes } from '@subtext/summarize/digests'
import {
  addChannel,
  api,
  eventsOf,
  follow,
  fresh,
  look,
  many,
  newActor,
  start,
  untilItems,
  useSubscriptions,
  worker,
} from '../testing/subscriptions.ts'

const OLD = 'skipped before_subscription'

useSubscriptions()

const makeDue = (id: string) =>
  worker.ctx.db.query("UPDATE subscription_items SET due_at = now() WHERE subscription_id = $1 AND state = 'waiting'", [
    id,
  ])

test('has a premiere wait until its length is known, and applies the filter then', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { filter: { min_duration_seconds: 30 } })
  await untilItems(actor, id, [OLD])
  const [long, brief] = [fresh({ kind: 'upcoming', seconds: null }), fresh({ kind: 'upcoming', seconds: null })]
  channel.publish(long, brief)
  await look(channel.id)
  await untilItems(actor, id, [OLD, 'waiting details', 'waiting details'])
  await checkSubscription(api(), actor, id)
  await untilItems(actor, id, [OLD, 'waiting details', 'waiting details'])
  Object.assign(long, { kind: 'video', seconds: 60 })
  Object.assign(brief, { kind: 'video', seconds: 10 })
  channel.publish()
  await checkSubscription(api(), actor, id)
  await untilItems(actor, id, [OLD, 'processed', 'skipped min_duration_seconds'])
})

test('lists the channel again for a video of unknown length, and skips it in the end', async () => {
  start({ itemRetrySchedule: [1_800, 3_600] })
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { action: 'notify', filter: { max_duration_seconds: 30 } })
  await untilItems(actor, id, [OLD])
  const [late, never] = [fresh({ seconds: null }), fresh({ seconds: null })]
  channel.publish(late, never)
  await look(channel.id)
  await untilItems(actor, id, [OLD, 'waiting details', 'waiting details'])
  const triesOf = async () => {
    const { rows } = await worker.ctx.db.query<{ tries: number }>(
      'SELECT tries FROM subscription_items WHERE subscription_id = $1 ORDER BY id OFFSET 1',
      [id],
    )
    return rows.map(({ tries }) => tries)
  }
  await waitUntil('the listing to be of no help', async () => (await triesOf()).join() === '1,1')
  late.seconds = 20
  channel.publish()
  await makeDue(id)
  await untilItems(actor, id, [OLD, 'notified', 'waiting details'])
  await makeDue(id)
  await untilItems(actor, id, [OLD, 'notified', 'skipped max_duration_seconds'])
})

test('shows the type that the list says, which the feed does not know', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { filter: { types: ['video'] } })
  await untilItems(actor, id, [OLD])
  channel.publish(fresh({ kind: 'stream' }))
  await look(channel.id)
  await untilItems(actor, id, [OLD, 'skipped types'])
  expect((await listItems(api(), actor, id, { limit: 1 })).entries[0]?.type).toBe('live')
})

test('pauses for a lower plan at the next check, whether there are new videos or not', async () => {
  start()
  const actor = await newActor()
  const channel = addChannel(many(1))
  const { id } = await follow(actor, channel.id, { deliver: { webhook_url: 'https://hooks.example.org/subtext' } })
  await untilItems(actor, id, [OLD])
  await setPlan(worker.ctx, actor.email, 'plus')
  await look(channel.id)
  await waitUntil('the pause to be told', async () => (await eventsOf(id)).length === 1)
  const [event] = await eventsOf(id)
  expect([event?.type, event?.body.data.reason]).toEqual(['subscription.paused', 'plan'])
})

test('writes to the address of an account that an operator has created', async () => {
  start()
  const actor = await newActor()
  await worker.ctx.db.prisma.user.update({ where: { id: actor.userId }, data: { emailVerified: false } })
  const channel = addChannel(many(1)).id
  const each = await follow(actor, channel, { catch_up: 1, deliver: { email: 'each' } })
  const daily = await follow(actor, channel, { action: 'notify', catch_up: 1, deliver: { email: 'daily' } })
  await untilItems(actor, each.id, ['processed'])
  await untilItems(actor, daily.id, ['notified'])
  await queueDigests({ db: worker.ctx.db, clock: () => new Date(), findThemes }, new Date(Date.now() + 86_400_000))
  const emails = await worker.ctx.db.prisma.email.findMany({ where: { userId: actor.userId } })
  expect(emails.map(({ kind, recipient }) => [kind, recipient]).sort()).toEqual([
    ['subscription_digest', actor.email],
    ['subscription_video', actor.email],
  ])
})

test('goes on when the key that created it is revoked', async () => {
  start()
  const actor = await newActor()
  const { prisma } = worker.ctx.db
  const { id: apiKeyId } = await prisma.apiKey.findFirstOrThrow({ where: { userId: actor.userId } })
  const channel = addChannel(many(1))
  const { id } = await follow({ ...actor, apiKeyId }, channel.id)
  await untilItems(actor, id, [OLD])
  await prisma.apiKey.update({ where: { id: apiKeyId }, data: { revokedAt: new Date() } })
  channel.publish(fresh())
  await look(channel.id)
  await untilItems(actor, id, [OLD, 'processed'])
})
