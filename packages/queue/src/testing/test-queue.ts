import { randomUUID } from 'node:crypto'
import { givenRedisUrl } from './env.ts'

/** The Redis of the test run and a prefix that no other test file uses. */
export function testQueue(): { url: string; prefix: string } {
  const url = givenRedisUrl()
  if (!url) throw new Error('No test servers: this test belongs to the project that starts them.')
  return { url, prefix: `test-${randomUUID()}` }
}
