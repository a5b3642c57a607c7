import { findRedisServer } from '@subtext/embedded'
import { runChaosCommand } from '@subtext/testbed'

const testWithRedis = findRedisServer() ? test : test.skip
const over = new AbortController()
afterAll(() => over.abort())

// The faults of this seed kill each app, freeze a worker, crash both servers, empty Redis and break links.
testWithRedis('npm run chaos finds that every promise is kept (needs redis-server)', async () => {
  const { code, out, err } = await runChaosCommand(['--hurry', '--rounds', '4', '--seed', '97'], over.signal)
  expect([code, code === 0 ? '' : `${err}\n${out}`]).toEqual([0, ''])
  expect(out).toContain('Every promise was kept.')
})
