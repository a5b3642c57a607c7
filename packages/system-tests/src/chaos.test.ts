import { findRedisServer } from '@subtext/embedded'
import { runChaosCommand } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip

describeWithRedis('Faults of every kind (needs redis-server)', () => {
  const over = new AbortController()
  afterAll(() => over.abort())
  const chaos = (...args: string[]) => runChaosCommand(['--hurry', ...args], over.signal)

  test('every promise is kept', async () => {
    const { code, out, err } = await chaos('--rounds', '6', '--seed', '2')
    expect([code, code === 0 ? '' : `${err}\n${out}`]).toEqual([0, ''])
    expect(out).toContain('Every promise was kept.')
  })

  test('without the unique index the same is noticed', async () => {
    const { code, out } = await chaos('--control', 'unique', '--rounds', '1', '--seed', '2')
    expect(out).toContain("a second writer's row was accepted")
    expect(code).toBe(1)
  })
})
