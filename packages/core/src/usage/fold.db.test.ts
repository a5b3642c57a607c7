import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { createProducer } from '@subtext/queue'
import { testQueue } from '@subtext/queue/testing'
import { foldUsage } from './fold.ts'

const { db } = useTestDatabase({ per: 'test' })

const append = (count: number) =>
  db.query(
    `INSERT INTO usage_additions (user_id, id, api_key_id, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at)
     SELECT $1, gen_random_uuid(), $1, 1, 0, 0, 0, 0, now() FROM generate_series(1, $2::int)`,
    [randomUUID(), count],
  )

test('one of several workers folds, however many additions there are', async () => {
  const queue = testQueue()
  const producers = [createProducer(queue), createProducer(queue), createProducer(queue)]
  await waitUntil('Redis is connected', () => producers.every((producer) => producer.isConnected()))
  await append(5_001)
  const folded = await Promise.all(producers.map((producer) => foldUsage({ db, producer })))
  expect(folded.sort()).toEqual([0, 0, 5_001])
  await Promise.all(producers.map((producer) => producer.close()))
})

test('a worker folds without Redis', async () => {
  const producer = createProducer(testQueue())
  await producer.close()
  await append(3)
  expect(await foldUsage({ db, producer })).toBe(3)
})
