import { findRedisServer } from '@subtext/embedded'
import { runChaosCommand } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip

describeWithRedis('npm run chaos (needs redis-server)', () => {
  const over = new AbortController()
  afterAll(() => over.abort())
  const chaos = (...args: string[]) => runChaosCommand(['--hurry', ...args], over.signal)

  test('finds that every promise is kept under faults of every kind', async () => {
    const { code, out, err } = await chaos('--rounds', '6', '--seed', '2')
    expect([code, code === 0 ? '' : `${err}\n${out}`]).toEqual([0, ''])
    expect(out).toContain('Every promise was kept.')
  })

  test('notices that the unique index is missing', async () => {
    const { code, out } = await chaos('--control', 'unique', '--rounds', '1', '--seed', '2')
    expect(out).toContain("a second writer's row was accepted")
    expect(code).toBe(1)
  })
})
