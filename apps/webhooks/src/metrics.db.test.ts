import { waitUntil } from '@subtext/embedded/testing'
import { createMetrics, type Metrics } from '@subtext/runtime'
import { createWebhooksMetrics } from './metrics.ts'
import { TestDeliverers } from './testing/deliverer.ts'

let deliverers: TestDeliverers
beforeAll(async () => {
  deliverers = await TestDeliverers.open()
})
afterEach(() => deliverers.reset())
afterAll(() => deliverers.close())

/** Returns the series of a metric that are not zero. */
async function read(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.render()).split('\n')
  return lines
    .filter((line) => line.startsWith(`subtext_webhook_${name}`) && !line.endsWith(' 0'))
    .map((line) => line.slice('subtext_webhook_'.length))
}

test('counts attempts and the ends of deliveries, and measures the lag of first attempts only', async () => {
  const metrics = createMetrics()
  deliverers.receiver.reply((_, nth) => ({ status: nth < 2 ? 500 : 204 }))
  const { deliveryId } = await deliverers.store()
  deliverers.start({}, { metrics: createWebhooksMetrics(metrics) })
  await deliverers.settled(deliveryId)
  await waitUntil('the end is counted', async () => (await read(metrics, 'deliveries_total')).length > 0)
  expect(await read(metrics, 'attempts_total')).toEqual([
    'attempts_total{result="2xx"} 1',
    'attempts_total{result="5xx"} 1',
  ])
  expect(await read(metrics, 'attempt_seconds_count')).toEqual(['attempt_seconds_count 2'])
  expect(await read(metrics, 'lag_seconds_count')).toEqual(['lag_seconds_count{pace="new"} 1'])
  expect(await read(metrics, 'deliveries_total')).toEqual(['deliveries_total{status="delivered"} 1'])
  expect(await read(metrics, 'slots{state="free"')).toEqual(['slots{state="free"} 20'])
})

test('measures the lag from the event, also for an event that a deliverer finds late', async () => {
  const metrics = createMetrics()
  const { deliveryId, id } = await deliverers.store()
  await deliverers.db.query("UPDATE webhook_events SET created_at = created_at - interval '2 hours' WHERE id = $1", [
    id,
  ])
  deliverers.start({}, { metrics: createWebhooksMetrics(metrics) })
  await deliverers.settled(deliveryId)
  expect(await read(metrics, 'lag_seconds_bucket{le="3600"')).toEqual([])
  expect(await read(metrics, 'lag_seconds_bucket{le="+Inf"')).toEqual(['lag_seconds_bucket{le="+Inf",pace="new"} 1'])
})
