import { jest } from '@jest/globals'
import type { ApiContext } from '../context.ts'
import type { SignIn } from '../sign-in.ts'
import { createWatch, type WatchedCaller } from './watch-caller.ts'

const keyOf = (digit: number): WatchedCaller => ({ apiKeyId: `key ${digit}`, headers: {}, headersDistinct: {} })
const sessionOf = (digit: number): WatchedCaller => ({
  apiKeyId: null,
  headers: { cookie: `session=${digit}` },
  headersDistinct: {},
})

/** A watch of keys and sessions that can be revoked. */
function createCallers() {
  const statements: string[][] = []
  const sessions: string[] = []
  const revoked = new Set<string>()
  let isAway = false
  const findInvalid = async (ids: readonly string[]): Promise<string[]> => {
    statements.push([...ids])
    if (isAway) throw new Error('away')
    return ids.filter((id) => revoked.has(id))
  }
  const verify: SignIn['verify'] = async (cookie = '') => {
    sessions.push(cookie)
    if (isAway) throw new Error('away')
    return revoked.has(cookie) ? null : ({} as Awaited<ReturnType<SignIn['verify']>>)
  }
  const ctx = { signIn: { verify } as Partial<SignIn>, oauth: null } as Partial<ApiContext> as ApiContext
  const watch = createWatch(ctx, findInvalid)
  const checked = (): string[] => statements.flat()
  return { watch, statements, checked, sessions, revoked, setAway: (away: boolean) => (isAway = away) }
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** Lets 900 ms pass, after which every caller has been checked once. */
const passInterval = (): Promise<void> => jest.advanceTimersByTimeAsync(900)

test('checks each key once in 900 ms, however many requests it has sent', async () => {
  const { watch, checked } = createCallers()
  const keys = Array.from({ length: 9 }, (_, digit) => keyOf(digit))
  const stops = keys.flatMap((key) => Array.from({ length: 20 }, () => watch(key, () => {})))
  await passInterval()
  expect(checked().sort()).toEqual(keys.map(({ apiKeyId }) => apiKeyId))
  await passInterval()
  expect(checked()).toHaveLength(18)
  for (const stop of stops) stop()
})

test('asks for many keys at once, and for a third of them each time', async () => {
  const { watch, statements } = createCallers()
  const stops = Array.from({ length: 30 }, (_, digit) => watch(keyOf(digit), () => {}))
  await passInterval()
  expect(statements.map((ids) => ids.length)).toEqual([10, 10, 10])
  for (const stop of stops) stop()
})

test.each([
  ['a key', keyOf],
  ['a session', sessionOf],
])('refuses all requests of %s that was revoked, and no others', async (_, callerOf) => {
  const { watch, revoked } = createCallers()
  const refused: [number, string][] = []
  const stops = [1, 1, 2].map((digit, index) => watch(callerOf(digit), ({ code }) => refused.push([index, code])))
  await passInterval()
  expect(refused).toEqual([])
  const { apiKeyId, headers } = callerOf(1)
  revoked.add(apiKeyId ?? headers.cookie ?? '')
  await passInterval()
  expect(refused).toEqual([
    [0, 'UNAUTHORIZED'],
    [1, 'UNAUTHORIZED'],
  ])
  for (const stop of stops) stop()
})

test('refuses nobody while the store is unavailable', async () => {
  const { watch, checked, sessions, setAway } = createCallers()
  const refuse = jest.fn()
  const stops = [keyOf(1), sessionOf(1)].map((caller) => watch(caller, refuse))
  setAway(true)
  await passInterval()
  expect([checked().length, sessions.length]).toEqual([1, 1])
  expect(refuse).not.toHaveBeenCalled()
  for (const stop of stops) stop()
})

test('checks a key until its last request has ended', async () => {
  const { watch, checked } = createCallers()
  const [first, second] = [1, 1].map((digit) => watch(keyOf(digit), () => {}))
  first?.()
  await passInterval()
  expect(checked()).toHaveLength(1)
  second?.()
  await passInterval()
  expect(checked()).toHaveLength(1)
  expect(jest.getTimerCount()).toBe(0)
})
