import { ServiceError } from '@subtext/contracts'
import type { Request } from 'express'
import type { ApiContext } from '../context.ts'
import { watchCaller } from './watch-caller.ts'

const keyOf = (digit: number): string => `sk_${String(digit).repeat(64)}`

const requestWith = (key: string): Request => {
  const authorization = `Bearer ${key}`
  return { headers: { authorization }, headersDistinct: { authorization: [authorization] } } as unknown as Request
}

/** A context whose keys can be revoked. */
function createKeys() {
  const checked: string[] = []
  const revoked = new Set<string>()
  let isAway = false
  const verifyKey: ApiContext['verifyKey'] = async (key, { isFresh = false } = {}) => {
    if (!isFresh) throw new Error('A check must not use the cache.')
    checked.push(key)
    if (isAway) throw new Error('away')
    if (revoked.has(key)) throw new ServiceError('UNAUTHORIZED')
    return { userId: 'u', apiKeyId: 'k', plan: 'pro', scopes: ['read'] }
  }
  const ctx = { verifyKey, signIn: null, oauth: null } as Partial<ApiContext> as ApiContext
  return { ctx, checked, revoked, setAway: (away: boolean) => (isAway = away) }
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
  const { ctx, checked } = createKeys()
  const keys = Array.from({ length: 9 }, (_, digit) => keyOf(digit))
  const stops = keys.flatMap((key) => Array.from({ length: 20 }, () => watchCaller(ctx, requestWith(key), () => {})))
  await passInterval()
  expect(checked.sort()).toEqual(keys)
  await passInterval()
  expect(checked).toHaveLength(18)
  for (const stop of stops) stop()
})

test('refuses all requests of a key that was revoked, and no others', async () => {
  const { ctx, revoked } = createKeys()
  const refused: number[] = []
  const stops = [1, 1, 2].map((digit, index) => watchCaller(ctx, requestWith(keyOf(digit)), () => refused.push(index)))
  await passInterval()
  expect(refused).toEqual([])
  revoked.add(keyOf(1))
  await passInterval()
  expect(refused).toEqual([0, 1])
  for (const stop of stops) stop()
})

test('refuses nobody while the store is unavailable', async () => {
  const { ctx, checked, setAway } = createKeys()
  const refuse = jest.fn()
  const stop = watchCaller(ctx, requestWith(keyOf(1)), refuse)
  setAway(true)
  await passInterval()
  expect(checked).toHaveLength(1)
  expect(refuse).not.toHaveBeenCalled()
  stop()
})

test('checks a key until its last request has ended', async () => {
  const { ctx, checked } = createKeys()
  const [first, second] = [1, 1].map((digit) => watchCaller(ctx, requestWith(keyOf(digit)), () => {}))
  first?.()
  await passInterval()
  expect(checked).toHaveLength(1)
  second?.()
  await passInterval()
  expect(checked).toHaveLength(1)
  expect(jest.getTimerCount()).toBe(0)
})
