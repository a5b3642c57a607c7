import { useTestDatabase } from '@subtext/db/testing'
import { simulateSubscriptions } from './simulate-subscriptions.ts'
import { spreadChecks } from './spread.ts'

const { db } = useTestDatabase()

test('no video is missed or told of twice, although the process is killed every hour and the feed is away', async () => {
  const { missed, toldWrong, unexplained, kills, items } = await simulateSubscriptions(db, {
    days: 6,
    channels: 1,
    subscriptionsPerChannel: 2,
    feedsAway: { from: 1, to: 2 },
  })
  expect({ missed, toldWrong, unexplained }).toEqual({ missed: 0, toldWrong: 0, unexplained: 0 })
  expect(kills).toBeGreaterThan(50)
  expect(items.notified).toBeGreaterThan(40)
})

test('the checks of 2,000 channels are spread over the hour', () => {
  const { mean, busiest } = spreadChecks(2_000)
  expect(mean).toBeLessThan(0.6)
  expect(busiest).toBeLessThan(1)
})
