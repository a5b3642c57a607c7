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

test('WorkerEnv refuses retries of jobs after more than a year', () => {
  const settings = { DATABASE_URL: 'postgresql://localhost/db', REDIS_URL: 'redis://localhost' }
  const { error } = WorkerEnv.safeParse({ ...settings, JOB_RETRY_SCHEDULE: '2s,9999h' })
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['JOB_RETRY_SCHEDULE', 'Must not exceed a year (8784h).'],
  ])
})

test.each([
  [{}, true],
  [{ SUMMARY_MODEL: 'unheard-of' }, false],
  [{ SUMMARY_MODEL: 'unheard-of', MODEL_PRICES: 'unheard-of=1/2/3/4' }, true],
  [{ SUMMARY_MODEL: 'unheard-of', SUMMARIZER: 'extractive' }, true],
])('a worker with a daily limit and %j starts only if the price is known', (model, starts) => {
  const settings = {
    DATABASE_URL: 'postgresql://localhost/db',
    REDIS_URL: 'redis://localhost',
    ANTHROPIC_API_KEY: 'key',
  }
  const { error } = WorkerEnv.safeParse({ ...settings, DAILY_SPEND_LIMIT_USD: '5', ...model })
  expect(error?.issues.map(({ path, message }) => [path[0], message]) ?? []).toEqual(
    starts
      ? []
      : [
          [
            'DAILY_SPEND_LIMIT_USD',
            'Cannot be kept, because the price of SUMMARY_MODEL is unknown. Name it in MODEL_PRICES.',
          ],
        ],
  )
})
