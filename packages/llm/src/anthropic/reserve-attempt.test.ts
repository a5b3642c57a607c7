import type { CostReservation } from '@subtext/contracts'
import { type Fault, type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { boundTokens, estimateTokens } from '../estimate-tokens.ts'
import { createCostComputer, createMaxCostComputer, findPricing } from '../model-prices.ts'
import { newCall } from '../testing/new-call.ts'
import { createAnthropicModel } from './anthropic-model.ts'

const MODEL = 'claude-haiku-4-5'
let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

type Reservation = CostReservation & { state: 'open' | 'kept' | 'released' }

/** Makes a call, and returns the reservations of its attempts. */
async function callWith(faults: Fault[], model = MODEL) {
  for (const fault of faults) api.failNext(fault)
  const made: Reservation[] = []
  const reserve = async (maxCostUsd: number | null): Promise<CostReservation> => {
    const reservation: Reservation = {
      id: String(made.length),
      maxCostUsd: maxCostUsd ?? -1,
      state: 'open',
      keep() {
        reservation.state = 'kept'
      },
      async release() {
        if (reservation.state === 'open') reservation.state = 'released'
      },
    }
    made.push(reservation)
    return reservation
  }
  const answer = await createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model }).complete(newCall({ reserve }))
  return { answer, made, states: made.map(({ state }) => state) }
}

test('reserves more than a call costs, and leaves the reservation to the caller', async () => {
  const { answer, made, states } = await callWith([])
  expect(states).toEqual(['open'])
  expect(answer.reservation).toBe(made[0])
  expect(made[0]?.maxCostUsd).toBeGreaterThan(createCostComputer()(MODEL, answer.usage))
})

test('releases the reservation of an attempt that is refused, and reserves the next one anew', async () => {
  const { states } = await callWith([{ status: 529, headers: { 'retry-after-ms': '1' } }])
  expect(states).toEqual(['released', 'open'])
})

test('keeps the reservation of an attempt that broke off', async () => {
  const { states } = await callWith([{ kind: 'dropped' }])
  expect(states).toEqual(['kept', 'open'])
})

test('makes no call that cannot be reserved', async () => {
  const refusal = new Error('Too expensive.')
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model: MODEL })
  await expect(model.complete(newCall({ reserve: () => Promise.reject(refusal) }))).rejects.toBe(refusal)
  expect(api.calls).toHaveLength(0)
})

test('reserves an unknown amount for a model without prices, and nothing for one that costs nothing', async () => {
  expect((await callWith([], 'a-model-of-ones-own')).made).toMatchObject([{ maxCostUsd: -1 }])
  const free = createMaxCostComputer([{ model: 'free', input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }])
  expect(free('free', { promptTokens: 9, outputTokens: 9, cacheDocument: null })).toBe(0)
})

test('takes the highest price that the prompt may have', () => {
  const compute = createMaxCostComputer()
  const bound = { promptTokens: 1_000_000, outputTokens: 0, cacheDocument: null }
  expect(compute(MODEL, bound)).toBe(1)
  expect(compute(MODEL, { ...bound, cacheDocument: '5m' })).toBe(1.25)
  expect(compute(MODEL, { ...bound, cacheDocument: '1h' })).toBe(2)
  // Beyond 100,000 tokens, the price of the whole prompt is another one.
  expect(compute('claude-haiku-5-5', bound)).toBe(0.5)
  expect(compute('claude-haiku-4-5-20251001', { promptTokens: 1, outputTokens: 0, cacheDocument: null })).toBe(0.000001)
})

test('tells what is known about prices', () => {
  expect([findPricing(MODEL), findPricing('unknown')]).toEqual(['priced', 'unpriced'])
  expect(findPricing('own', [{ model: 'own', input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }])).toBe('free')
})

test.each(['The river carries water to the sea.', '1234567890', '川は水を海へ運ぶ。', '🙂🙂', 'a{b}[c];\n\n'])(
  'bounds the tokens of %j above the estimate of digits, scripts and signs',
  (text) => {
    expect(boundTokens(text)).toBeGreaterThanOrEqual(estimateTokens(text))
    expect(boundTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text))
  },
)
