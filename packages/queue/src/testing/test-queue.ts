import { randomUUID } from 'node:crypto'
import { givenRedisUrl } from './env.ts'

/** Returns the Redis of the test run and a prefix that no other caller gets. */
export function testQueue(): { url: string; prefix: string } {
  const url = givenRedisUrl()
  if (!url) throw new Error('No test servers. Name the file *.db.test.ts, so that Jest starts them.')
  return { url, prefix: `test-${randomUUID()}` }
}
