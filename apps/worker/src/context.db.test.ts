import { createMetrics } from '@subtext/runtime'
import { createTestDatabase, testQueue } from '@subtext/testing'
import { createContext } from './context.ts'
import { WorkerEnv } from './env.ts'

test('a database that does not answer does not hold a worker for ever', async () => {
  const database = await createTestDatabase()
  const { url, prefix } = testQueue()
  const settings = { DATABASE_URL: database.url, REDIS_URL: url, QUEUE_PREFIX: prefix, LOG_LEVEL: 'silent' }
  const { context, close } = createContext(WorkerEnv.parse({ ...settings, JOB_LEASE_SECONDS: '2' }), createMetrics())
  const answer = context.db.query('SELECT pg_sleep(20)').then(
    () => 'answered',
    () => 'given up',
  )
  expect(await answer).toBe('given up')
  await close()
  await database.drop()
})
