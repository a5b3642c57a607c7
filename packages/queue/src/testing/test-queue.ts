import { randomUUID } from 'node:crypto'
import { givenRedisUrl } from './env.ts'

/** Long enough that Redis on a busy machine never counts as unavailable. */
const TIMEOUT_MS = 120_000

/** Returns the Redis of the test run and a prefix that no other caller gets. */
export function testQueue(): { url: string; prefix: string; timeoutMs: number } {
  const url = givenRedisUrl()
  if (!url) throw new Error('No test servers. Name the file *.db.test.ts, so that Jest starts them.')
  return { url, prefix: `test-${randomUUID()}`, timeoutMs: TIMEOUT_MS }
}
