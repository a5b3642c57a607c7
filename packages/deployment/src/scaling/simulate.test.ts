import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { compareSettings, DELIVERY_SETTINGS, SETTINGS } from './compare.ts'
import { DELIVERY_SCENARIOS, type DeliverySetting, simulateDeliveries } from './deliveries.ts'
import { SCENARIOS, type Scenario, URGENT_SCENARIOS } from './scenarios.ts'
import { type ScalingSetting, simulate } from './simulate.ts'

const named = (name: string): Scenario => {
  const scenario = SCENARIOS.find((one) => one.name.startsWith(name))
  if (!scenario) throw new Error(`There is no scenario "${name}".`)
  return scenario
}
const [calm, hasty, frugal] = SETTINGS.worker as [ScalingSetting, ScalingSetting, ScalingSetting]

test('the same seed gives the same outcome, another one does not', () => {
  const run = (seed: number) => simulate({ name: 'short', seconds: 900, rate: () => 2 }, calm, seed)
  expect(run(1)).toEqual(run(1))
  expect(run(1)).not.toEqual(run(2))
})

test('a fleet that cannot grow lets jobs wait; one that can does not', () => {
  const scenario = { name: 'short', seconds: 1_800, rate: () => 2 }
  const fixed = simulate(scenario, { ...calm, maxReplicas: calm.minReplicas })
  const scaled = simulate(scenario, calm)
  expect(fixed.pods).toEqual({ mean: 2, peak: 2 })
  expect(fixed.idle).toBeLessThan(0.1)
  expect(fixed.wait.median).toBeGreaterThan(10 * scaled.wait.p95)
})

test('the setting of the manifests changes the number of pods far less often than one that shrinks at once', () => {
  const steady = named('steady')
  expect(simulate(steady, calm).changes * 5).toBeLessThan(simulate(steady, hasty).changes)
})

test('the setting of the manifests waits less than a frugal one, for a limited share of idle slots', () => {
  const day = named('day')
  const [ours, theirs] = [simulate(day, calm), simulate(day, frugal)]
  expect(ours.wait.p95 * 5).toBeLessThan(theirs.wait.p95)
  expect(ours.idle).toBeLessThan(0.35)
})

test('an outage of the video platform does not start pods that could do nothing', () => {
  const { seconds, rate } = named('platform')
  const without = simulate({ name: 'without the outage', seconds, rate }, calm)
  expect(simulate(named('platform'), calm).pods.peak).toBeLessThanOrEqual(without.pods.peak)
})

test('a scaler that cannot read the metrics stops no pod', () => {
  const blind = simulate({ name: 'blind', seconds: 900, rate: () => 0, isScalerBlind: (second) => second > 0 }, calm)
  // KEDA's fallback, after a minute with the smallest number.
  expect(blind.pods.peak).toBe(calm.fallback.replicas)
})

test.each(URGENT_SCENARIOS)('urgent jobs start within ten seconds: $name', (scenario) => {
  const [setting] = SETTINGS['worker-high']
  if (!setting) throw new Error('There is no setting.')
  expect(simulate(scenario, setting).wait.max).toBeLessThanOrEqual(10)
})

const [deliveries] = DELIVERY_SETTINGS as [DeliverySetting]
const deliver = (name: string, setting = deliveries) => {
  const scenario = DELIVERY_SCENARIOS.find((one) => one.name.startsWith(name))
  if (!scenario) throw new Error(`There is no scenario "${name}".`)
  return simulateDeliveries(scenario, setting)
}

test('a slow receiver adds no pods and delays no other receiver, however late its own deliveries are', () => {
  const { pods, wait, othersWait } = deliver('one receiver')
  expect(pods.peak).toBe(deliveries.minReplicas)
  expect(wait.max).toBeGreaterThan(600)
  expect(othersWait.max).toBeLessThan(1)
})

test('a burst of deliveries is over sooner with more pods', () => {
  const fixed = deliver('burst', { ...deliveries, maxReplicas: deliveries.minReplicas })
  expect(deliver('burst').wait.max * 1.5).toBeLessThan(fixed.wait.max)
})

test('the guide shows what the simulation prints', () => {
  const guide = readFileSync(join(ROOT, 'docs/operating/kubernetes.md'), 'utf8')
  for (const table of Object.values(compareSettings())) expect(guide).toContain(table)
})
