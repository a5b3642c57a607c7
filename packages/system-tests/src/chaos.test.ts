import { findRedisServer } from '@subtext/embedded'
import { runChaosCommand } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip
/** Far more than they take: whatever holds them up, they say themselves what was broken. */
const LIMIT_MS = 420_000

describeWithRedis('Faults of every kind (needs redis-server)', () => {
  const over = new AbortController()
  afterAll(() => over.abort())
  const chaos = (...args: string[]) => runChaosCommand(['--hurry', ...args], over.signal)

  test(
    'every promise is kept',
    async () => {
      const { code, out, err } = await chaos('--rounds', '6', '--seed', '2')
      expect([code, code === 0 ? '' : `${err}\n${out}`]).toEqual([0, ''])
      expect(out).toContain('Every promise was kept.')
    },
    LIMIT_MS,
  )

  test(
    'without the unique index the same is noticed',
    async () => {
      const { code, out } = await chaos('--control', 'unique', '--rounds', '1', '--seed', '2')
      expect(out).toContain('a second writer got something in')
      expect(code).toBe(1)
    },
    LIMIT_MS,
  )
})
