import { envIssues } from '@subtext/runtime'
import { WebhooksEnv } from './env.ts'

test.each([
  ['WEBHOOK_RETRY_SCHEDULE', '5s,99999999999999999h', 'WEBHOOK_RETRY_SCHEDULE: Must not exceed a year (8784h).'],
  ['WEBHOOK_DISABLE_AFTER', '8785h', 'WEBHOOK_DISABLE_AFTER: Must not exceed a year (8784h).'],
  ['WEBHOOK_RETRY_SCHEDULE', '5', 'WEBHOOK_RETRY_SCHEDULE: Must be a list of durations, such as 5s,5m,2h.'],
])('refuses %s=%s', (name, value, issue) => {
  const required = {
    DATABASE_URL: 'postgres://localhost/db',
    REDIS_URL: 'redis://localhost',
    WEBHOOK_SECRET_KEY: '0'.repeat(64),
  }
  expect(envIssues(WebhooksEnv, { ...required, [name]: value })).toEqual([issue])
})
