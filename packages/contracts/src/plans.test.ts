import { FEATURES, highestPlan, includesFeature, lowestPlan, PLAN_NAMES, PLANS, type PlanDefinition } from './plans.ts'

const definitions: PlanDefinition[] = PLAN_NAMES.map((plan) => PLANS[plan])

describe('PLANS', () => {
  test('lists the plans in ascending order, each with its own rank', () => {
    const ranks = definitions.map(({ rank }) => rank)
    expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b))
    expect(PLAN_NAMES).toHaveLength(Object.keys(PLANS).length)
  })

  test('gives a higher plan everything that a lower plan includes, and no smaller limit', () => {
    for (const [index, lower] of definitions.entries()) {
      for (const higher of definitions.slice(index + 1)) {
        expect(higher.features).toEqual(expect.arrayContaining([...lower.features]))
        expect(higher.summaryModes).toEqual(expect.arrayContaining([...lower.summaryModes]))
        expect(higher.quota.daily).toBeGreaterThanOrEqual(lower.quota.daily)
        expect(higher.quota.monthly).toBeGreaterThanOrEqual(lower.quota.monthly)
        expect(higher.requestsPerHour).toBeGreaterThanOrEqual(lower.requestsPerHour)
      }
    }
  })

  test('offers every feature in some plan', () => {
    for (const feature of Object.keys(FEATURES))
      expect(definitions.flatMap(({ features }) => features)).toContain(feature)
  })

  test('has the published quotas and features', () => {
    expect(PLANS).toMatchObject({
      free: { quota: { daily: 3, monthly: 3 }, requestsPerHour: 60, summaryModes: ['tldr'], features: [] },
      plus: { quota: { daily: 10, monthly: 50 }, requestsPerHour: 300, features: ['api_keys', 'built_in_templates'] },
      pro: { quota: { daily: 30, monthly: 200 }, requestsPerHour: 3_000 },
    })
  })
})

describe('lowestPlan', () => {
  test('returns the lowest plan that meets the condition', () => {
    expect(lowestPlan(() => true)).toBe('free')
    expect(lowestPlan(includesFeature('api_keys'))).toBe('plus')
    expect(lowestPlan(includesFeature('webhooks'))).toBe('pro')
  })

  test('returns the highest plan when none meets the condition', () => {
    expect(lowestPlan(() => false)).toBe(PLAN_NAMES.at(-1))
  })
})

describe('highestPlan', () => {
  test('returns the plan of the highest rank, whatever the order of the list', () => {
    expect(highestPlan(['free', 'pro', 'plus'])).toBe('pro')
    expect(highestPlan(['plus', 'free'])).toBe('plus')
    expect(highestPlan([])).toBe('free')
  })
})
