import { Subtext } from '../client.ts'
import { data, useTestService } from '../testing/serve.ts'

const serve = useTestService()
const NO_MORE = { limit: 100, has_more: false, next_cursor: null }

/** Returns a client of a service that gives these answers, and what it was sent. */
async function connect(...answers: Parameters<typeof serve>) {
  const service = await serve(...answers)
  const client = new Subtext({ apiKey: 'sk_1', baseUrl: service.url })
  const sent = () =>
    service.requests.map(({ method, url, body }) => [
      method,
      url?.replace('/api/v1', ''),
      body ? JSON.parse(body) : null,
    ])
  return { client, sent, service }
}

test('asks for a source, and waits until it is no longer being listed', async () => {
  const { client, sent } = await connect(
    data({ source_id: 's/1', status: 'listing' }),
    data({ source_id: 's/1', status: 'listing' }),
    data({ source_id: 's/1', status: 'ready' }),
  )
  const { source_id } = await client.sources.ask('@somebody', { refresh: true })
  expect((await client.sources.waitFor(source_id)).status).toBe('ready')
  expect(sent()).toEqual([
    ['POST', '/sources', { url: '@somebody', refresh: true }],
    ['GET', '/sources/s%2F1?wait=30', null],
    ['GET', '/sources/s%2F1?wait=30', null],
  ])
})

test('lists the videos of a source over all pages', async () => {
  const { client, sent } = await connect(
    data({ videos: [{ video_id: 'a' }], pagination: { ...NO_MORE, has_more: true, next_cursor: 'next' } }),
    data({ videos: [{ video_id: 'b' }], pagination: NO_MORE }),
  )
  const found: string[] = []
  const list = client.sources.videos('s1', { notProcessed: true, sinceVideoId: 'x', type: 'short' })
  for await (const { video_id } of list) found.push(video_id)
  expect(found).toEqual(['a', 'b'])
  const filter = 'type=short&not_processed=true&since_video_id=x&limit=100'
  expect(sent().map(([, url]) => url)).toEqual([
    `/sources/s1/videos?${filter}`,
    `/sources/s1/videos?${filter}&cursor=next`,
  ])
})

test('creates a subscription under an idempotency key, and acts on it', async () => {
  const { client, sent, service } = await connect(data({ subscription_id: 'b1' }))
  await client.subscriptions.create({ url: '@somebody', action: 'process' })
  await client.subscriptions.update('b1', { max_per_day: null })
  await client.subscriptions.pause('b1')
  await client.subscriptions.resume('b1')
  await client.subscriptions.check('b1')
  await client.subscriptions.retry('b1', 'pod-a_b')
  expect(sent()).toEqual([
    ['POST', '/subscriptions', { url: '@somebody', action: 'process' }],
    ['PATCH', '/subscriptions/b1', { max_per_day: null }],
    ['POST', '/subscriptions/b1/pause', null],
    ['POST', '/subscriptions/b1/resume', null],
    ['POST', '/subscriptions/b1/check', null],
    ['POST', '/subscriptions/b1/items/pod-a_b/retry', null],
  ])
  expect(service.requests[0]?.headers['idempotency-key']).toBeDefined()
})

test('lists items by their state, and creates feeds', async () => {
  const { client, sent } = await connect(
    data({ items: [{ video_id: 'a' }], pagination: NO_MORE }),
    data({ feed_id: 'f1', url_json: 'https://api.example.org/feed.json' }),
    data({ feeds: [{ feed_id: 'f1' }] }),
  )
  const items: string[] = []
  for await (const { video_id } of client.subscriptions.items('b1', { state: 'skipped' })) items.push(video_id)
  expect(items).toEqual(['a'])
  expect((await client.feeds.create({ all: true })).url_json).toBe('https://api.example.org/feed.json')
  expect(await client.feeds.list()).toEqual([{ feed_id: 'f1' }])
  expect(sent()).toEqual([
    ['GET', '/subscriptions/b1/items?state=skipped&limit=100', null],
    ['POST', '/feeds', { all: true }],
    ['GET', '/feeds/', null],
  ])
})
