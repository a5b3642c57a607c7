import { DELIVERY_SCENARIOS, type DeliverySetting, simulateDeliveries } from './deliveries.ts'
import { readDeliverySetting, readSetting } from './scaled-objects.ts'
import { SCENARIOS, type Scenario, URGENT_SCENARIOS } from './scenarios.ts'
import { type ScalingSetting, type SimulationOutcome, simulate } from './simulate.ts'

const AT_ONCE = {
  stabilizationWindowSeconds: 0,
  policies: [{ type: 'Percent' as const, value: 100, periodSeconds: 15 }],
}

/** The setting of the manifests for a deployment, first, and two others to compare it with. */
export const SETTINGS: Record<'worker' | 'worker-high', readonly ScalingSetting[]> = {
  worker: [
    readSetting('worker'),
    { ...readSetting('worker'), name: 'hasty: shrinks at once', scaleDown: AT_ONCE },
    { ...readSetting('worker'), name: 'frugal: 16 jobs per pod', rowsPerPod: 16, maxAge: 60 },
  ],
  'worker-high': [
    readSetting('worker-high'),
    { ...readSetting('worker-high'), name: 'generous: 4 jobs per pod', rowsPerPod: 4 },
    { ...readSetting('worker-high'), name: 'tight: 8 jobs per pod', rowsPerPod: 8 },
  ],
}

const HEADER = `| arrivals | setting | wait: median | p95 | longest | pods: mean | peak | idle | changes |
|---|---|---|---|---|---|---|---|---|
`

const describe = (scenario: Scenario, { name }: ScalingSetting, outcome: SimulationOutcome): string => {
  const { wait, pods, idle, changes } = outcome
  const cells = [scenario.name, name, `${wait.median} s`, `${wait.p95} s`, `${wait.max} s`]
  return `| ${[...cells, pods.mean.toFixed(1), pods.peak, `${Math.round(idle * 100)}%`, changes].join(' | ')} |\n`
}

const compare = (scenarios: readonly Scenario[], settings: readonly ScalingSetting[]): string =>
  HEADER +
  scenarios.flatMap((one) => settings.map((setting) => describe(one, setting, simulate(one, setting)))).join('')

/** The same for the webhook sender. */
export const DELIVERY_SETTINGS: readonly DeliverySetting[] = [
  readDeliverySetting(),
  { ...readDeliverySetting(), name: 'eager: 2 s per pod', latenessPerPod: 2 },
  { ...readDeliverySetting(), name: 'patient: 15 s per pod', latenessPerPod: 15 },
]

const DELIVERY_HEADER = `| deliveries | setting | late: median | p95 | longest | pods: mean | peak | changes |
|---|---|---|---|---|---|---|---|
`

/** Without a receiver that is slow on its own: its line is as long with any number of pods. */
const compareDeliveries = (): string =>
  DELIVERY_HEADER +
  DELIVERY_SCENARIOS.flatMap((scenario) =>
    DELIVERY_SETTINGS.map((setting) => {
      const { othersWait, pods, changes } = simulateDeliveries(scenario, setting)
      const late = [othersWait.median, othersWait.p95, othersWait.max].map((seconds) => `${seconds.toFixed(1)} s`)
      return `| ${[scenario.name, setting.name, ...late, pods.mean.toFixed(1), pods.peak, changes].join(' | ')} |\n`
    }),
  ).join('')

/** Returns tables of what the settings of the manifests, and others, lead to. */
export const compareSettings = (): Record<'worker' | 'worker-high' | 'webhooks', string> => ({
  worker: compare(SCENARIOS, SETTINGS.worker),
  'worker-high': compare(URGENT_SCENARIOS, SETTINGS['worker-high']),
  webhooks: compareDeliveries(),
})
