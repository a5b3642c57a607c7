import { waitUntil } from '@subtext/embedded/testing'
import { type SubscriptionItem, Subtext } from '@subtext/sdk'
import { useClient, useTestSystem } from '@subtext/testbed'

/** The sample channel publishes every minute. */
const SETTINGS = {
  SAMPLE_VIDEOS: 'true',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SOURCE_CHECK_MINUTES: '0.05',
  PLAN_QUOTAS: 'pro:off',
}
const system = useTestSystem({ settings: SETTINGS })
const client = useClient(system)

test('a subscription to the sample channel survives two kills of the worker and gives every video once', async () => {
  const { subscriptions, videos } = new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })
  const { subscription_id: id } = await subscriptions.create({
    url: '@sbtx-lectures',
    action: 'process',
    catch_up: 6,
    deliver: { webhook_url: `${system.receiver.origin}/subscription` },
  })
  const itemsOf = async (): Promise<SubscriptionItem[]> => {
    const found: SubscriptionItem[] = []
    for await (const item of subscriptions.items(id)) if (item.reason !== 'before_subscription') found.push(item)
    return found
  }
  const killWorker = async (): Promise<void> => {
    system.workers.at(-1)?.kill('SIGKILL')
    await system.workers.at(-1)?.exited
    system.startWorker()
  }
  await waitUntil('items to be known', async () => (await itemsOf()).length >= 6, 60_000)
  await killWorker()
  await waitUntil(
    'some to be processed',
    async () => (await itemsOf()).some(({ state }) => state === 'processed'),
    60_000,
  )
  await killWorker()
  await waitUntil('a video to be published', async () => (await itemsOf()).length >= 7, 120_000)
  const allEnded = async () => (await itemsOf()).every(({ state }) => state === 'processed')
  await waitUntil('all to be processed', allEnded, 120_000)
  const items = await itemsOf()
  const eventsOf = (videoId: string) =>
    new Set(
      system.receiver.received
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ event, data }) => event === 'subscription.video' && data.video_id === videoId)
        .map(({ id: eventId }) => eventId),
    ).size
  await waitUntil('all to be delivered', async () => items.every(({ video_id }) => eventsOf(video_id) === 1), 60_000)
  const jobs = await videos.list().page()
  const processed = jobs.items.map(({ video_id }) => video_id)
  expect(new Set(processed).size).toBe(processed.length)
  expect(processed).toEqual(expect.arrayContaining(items.map(({ video_id }) => video_id)))
})
