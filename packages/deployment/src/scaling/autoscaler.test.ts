import { Autoscaler, type AutoscalerOptions } from './autoscaler.ts'

const AT_ONCE = {
  stabilizationWindowSeconds: 0,
  policies: [{ type: 'Percent' as const, value: 1_000, periodSeconds: 15 }],
}
const OPTIONS: AutoscalerOptions = {
  minReplicas: 1,
  maxReplicas: 100,
  scaleUp: AT_ONCE,
  scaleDown: { ...AT_ONCE, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
  fallback: { failureThreshold: 3, replicas: 6 },
}
const open = (options: Partial<AutoscalerOptions> = {}) => new Autoscaler({ ...OPTIONS, ...options })
const metric = (value: number | undefined, target = 10) => ({ value, target })

test('asks for as many pods as the largest metric needs', () => {
  expect(open().decide(0, 2, [metric(31), metric(100, 20)])).toBe(5)
})

test.each([
  [109, 10],
  [112, 12],
  [91, 10],
  [88, 9],
])('ignores a difference of up to a tenth: %i for 10 pods with 10 each needs %i', (value, pods) => {
  expect(open().decide(0, 10, [metric(value)])).toBe(pods)
})

test('keeps to the smallest and the largest number', () => {
  const autoscaler = open({ minReplicas: 2, maxReplicas: 4 })
  expect(autoscaler.decide(0, 3, [metric(0)])).toBe(2)
  expect(autoscaler.decide(15, 3, [metric(1_000)])).toBe(4)
})

test('grows by the policy that allows the most within its period', () => {
  const policies = [
    { type: 'Percent' as const, value: 100, periodSeconds: 60 },
    { type: 'Pods' as const, value: 4, periodSeconds: 60 },
  ]
  const autoscaler = open({ scaleUp: { stabilizationWindowSeconds: 0, policies } })
  expect(autoscaler.decide(0, 2, [metric(1_000)])).toBe(6)
  expect(autoscaler.decide(15, 6, [metric(1_000)])).toBe(6)
  expect(autoscaler.decide(60, 6, [metric(1_000)])).toBe(12)
})

test('shrinks by a share of what there was at the start of the period', () => {
  const policies = [{ type: 'Percent' as const, value: 20, periodSeconds: 60 }]
  const autoscaler = open({ scaleDown: { stabilizationWindowSeconds: 0, policies } })
  let size = 10
  const sizes = [0, 15, 30, 45, 60].map((now) => {
    size = autoscaler.decide(now, size, [metric(10)])
    return size
  })
  expect(sizes).toEqual([8, 8, 8, 8, 6])
})

test('shrinks to the highest number that was asked for within the window', () => {
  const scaleDown = { ...OPTIONS.scaleDown, stabilizationWindowSeconds: 60 }
  const autoscaler = open({ scaleDown })
  expect(autoscaler.decide(0, 10, [metric(100)])).toBe(10)
  expect(autoscaler.decide(15, 10, [metric(50)])).toBe(10)
  expect(autoscaler.decide(30, 10, [metric(20)])).toBe(10)
  expect(autoscaler.decide(60, 10, [metric(20)])).toBe(5)
  expect(autoscaler.decide(75, 5, [metric(20)])).toBe(2)
})

test('grows, but does not shrink, while one of the metrics cannot be read', () => {
  const autoscaler = open()
  expect(autoscaler.decide(0, 4, [metric(10), metric(undefined)])).toBe(4)
  expect(autoscaler.decide(15, 4, [metric(80), metric(undefined)])).toBe(8)
})

test('keeps the number while no metric can be read, and falls back to more after the threshold', () => {
  const autoscaler = open()
  const look = (now: number, current: number) => autoscaler.decide(now, current, [metric(undefined)])
  expect([look(0, 2), look(15, 2), look(30, 2)]).toEqual([2, 2, 2])
  expect(look(45, 2)).toBe(6)
  expect(look(60, 9)).toBe(9)
  expect(autoscaler.decide(75, 9, [metric(10)])).toBe(1)
})
