import { WorkerEnv } from './env.ts'

test('WorkerEnv reports every invalid price together with other invalid settings', () => {
  const settings = {
    DATABASE_URL: 'postgresql://localhost/db',
    REDIS_URL: 'redis://localhost',
    MODEL_PRICES: 'a=1,b=2',
    WORKER_CONCURRENCY: '0',
  }
  const { error } = WorkerEnv.safeParse(settings)
  expect(error?.issues.map((issue) => issue.path.join('.')).sort()).toEqual([
    'MODEL_PRICES',
    'MODEL_PRICES',
    'WORKER_CONCURRENCY',
  ])
  const { MODEL_PRICES } = WorkerEnv.parse({ ...settings, MODEL_PRICES: 'a=1/2/3/4', WORKER_CONCURRENCY: '1' })
  expect(MODEL_PRICES).toEqual([{ model: 'a', input: 1, output: 2, cacheWrite: 3, cacheRead: 4 }])
})
