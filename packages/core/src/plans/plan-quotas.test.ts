import { DEFAULT_QUOTAS } from '@subtext/contracts'
import { planQuotas } from './plan-quotas.ts'

describe('the setting PLAN_QUOTAS', () => {
  test.each([
    [undefined, {}],
    ['free:3/3,plus:10/50,pro:off', { pro: null }],
    [' free : 0/7 , pro : off,', { free: { daily: 0, monthly: 7 }, pro: null }],
    ['plus:1000000000/1000000000', { plus: { daily: 1_000_000_000, monthly: 1_000_000_000 } }],
  ])('%j replaces the quotas of the plans that it names', (text, changed) => {
    expect(planQuotas.parse(text)).toEqual({ ...DEFAULT_QUOTAS, ...changed })
  })

  test.each([
    ['gold:1/2', ['one of the plans free, plus, pro in "gold:1/2"']],
    ['constructor:1/2', ['one of the plans']],
    ['free', ['videos per day and per month in "free"']],
    ['free:3', ['in "free:3"']],
    ['free:-1/3', ['in "free:-1/3"']],
    ['free:1.5/3', ['in "free:1.5/3"']],
    ['free:1/2:3', ['in "free:1/2:3"']],
    ['free:OFF', ['in "free:OFF"']],
    ['free:1/1000000001', ['up to 1000000000 each']],
    ['free:1/2,free:off', ['plan free only once']],
    ['gold:x,free:/,pro:1/2', ['in "gold:x"', 'in "gold:x"', 'in "free:/"']],
  ])('%j is refused with all complaints at once', (text, complaints) => {
    const messages = planQuotas.safeParse(text).error?.issues.map(({ message }) => message)
    expect(messages).toEqual(complaints.map((complaint) => expect.stringContaining(complaint)))
  })
})
