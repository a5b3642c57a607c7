import { Autoscaler, type AutoscalerOptions } from './autoscaler.ts'
import { TRIGGERS } from './demand.ts'
import { type FleetOptions, PodFleet } from './fleet.ts'
import { SYNC_SECONDS, summarize, type Waits } from './outcome.ts'
import { drawArrivals, type Scenario } from './scenarios.ts'

/** How a deployment of workers is scaled. */
export interface ScalingSetting extends AutoscalerOptions, FleetOptions {
  name: string
  /** Jobs that run or wait, per pod. */
  rowsPerPod: number
  /** Age of the oldest waiting job from which pods are added, in seconds. */
  maxAge: number
}

export interface SimulationOutcome {
  wait: Waits
  pods: { mean: number; peak: number }
  /** Share of the slots that had nothing to do, starting and stopping pods included. */
  idle: number
  /** How often the number of pods changed. */
  changes: number
  /** Jobs that had to move to another pod. */
  handedBack: number
  failed: number
}

/** Runs a scenario with a setting. */
export function simulate(scenario: Scenario, setting: ScalingSetting, seed = 1): SimulationOutcome {
  const autoscaler = new Autoscaler(setting)
  const arrivals = drawArrivals(scenario, seed)
  const fleet = new PodFleet(setting, setting.minReplicas)
  let next = 0
  let changes = 0
  for (let now = 0; now < scenario.seconds; now++) {
    for (let arrival = arrivals[next]; arrival?.at === now; arrival = arrivals[++next]) {
      fleet.submit({ arrivedAt: now, seconds: arrival.seconds, tries: 0, wasStarted: false })
    }
    fleet.step(now, scenario.isPlatformOut?.(now) ?? false)
    if (now % SYNC_SECONDS !== 0) continue
    const size = autoscaler.decide(now, fleet.size, readMetrics(fleet, now, scenario, setting))
    if (size !== fleet.size) changes++
    fleet.setSize(now, size)
  }
  const { podSeconds, busySlotSeconds, handedBack, failed, peak } = fleet.counts
  return {
    wait: summarize(fleet.waits),
    pods: { mean: podSeconds / scenario.seconds, peak },
    idle: 1 - busySlotSeconds / (podSeconds * setting.slots),
    changes,
    handedBack,
    failed,
  }
}

function readMetrics(fleet: PodFleet, now: number, scenario: Scenario, { rowsPerPod, maxAge, slots }: ScalingSetting) {
  const demand = scenario.isScalerBlind?.(now) ? undefined : fleet.demand(now)
  return [
    { value: demand && TRIGGERS.rows(demand), target: rowsPerPod },
    { value: demand && TRIGGERS.age(demand, maxAge), target: slots },
  ]
}
