import { mersenne, unsafeUniformIntDistribution } from 'pure-rand'
import { Autoscaler, type AutoscalerOptions } from './autoscaler.ts'
import { SYNC_SECONDS, summarize, type Waits } from './outcome.ts'

/** How the webhook sender is scaled. */
export interface DeliverySetting extends AutoscalerOptions {
  name: string
  /** Seconds by which the oldest delivery is late, per pod. */
  latenessPerPod: number
}

export interface DeliveryScenario {
  name: string
  seconds: number
  receivers: number
  /** Expected number of deliveries that become due within a second. */
  rate: number
  /** Deliveries that become due at once. */
  burst?: { at: number; deliveries: number }
  /** Share of the deliveries that go to the first receiver; by default all get the same share. */
  firstShare?: number
  /** How long an attempt takes, in seconds. */
  attempt(receiver: number, second: number): number
}

export interface DeliveryOutcome {
  /** How late first attempts were, in seconds; to receivers with an attempt under way or not. */
  wait: Waits
  /** The same without the first receiver. */
  othersWait: Waits
  pods: { mean: number; peak: number }
  changes: number
}

const HOUR = 3_600
const QUICK_SECONDS = 0.3
const SLOW_SECONDS = 10
const during = (from: number, to: number, second: number): boolean => second >= from && second < to

export const DELIVERY_SCENARIOS: readonly DeliveryScenario[] = [
  { name: 'steady, 40/s', seconds: 2 * HOUR, receivers: 300, rate: 40, attempt: () => QUICK_SECONDS },
  {
    name: 'burst of 50,000',
    seconds: HOUR,
    receivers: 300,
    rate: 5,
    attempt: () => QUICK_SECONDS,
    burst: { at: 600, deliveries: 50_000 },
  },
  {
    name: 'one receiver takes 10 s',
    seconds: 2 * HOUR,
    receivers: 300,
    rate: 20,
    firstShare: 0.25,
    attempt: (receiver) => (receiver === 0 ? SLOW_SECONDS : QUICK_SECONDS),
  },
  {
    name: 'all take 3 s for 20 min',
    seconds: 2 * HOUR,
    receivers: 300,
    rate: 20,
    attempt: (_, second) => (during(HOUR, HOUR + 1_200, second) ? 3 : QUICK_SECONDS),
  },
]

/** `WEBHOOK_CONCURRENCY` and `WEBHOOK_RECEIVER_CONCURRENCY`. */
const SLOTS = 20
const RECEIVER_LIMIT = 5
const POD_START_SECONDS = 20
const TICKS_PER_SECOND = 10

interface Pod {
  readyAt: number
  busy: number
  isStopping: boolean
}
interface Receiver {
  /** When each of its deliveries became due. */
  due: number[]
  running: number
}

const isReady = ({ due, running }: Receiver): boolean => due.length > 0 && running < RECEIVER_LIMIT

/** Webhook senders and receivers, in steps of a tenth of a second. */
class Senders {
  pods: Pod[] = []
  private readonly receivers: Receiver[]
  private readonly endings = new Map<number, [Pod, number][]>()
  private turn = 0
  /** 1 for each receiver to which an attempt could be started. Looking at the receivers themselves would take most of the time. */
  private readonly ready: Uint8Array
  readonly waits: { receiver: number; seconds: number }[] = []

  constructor(
    private readonly scenario: DeliveryScenario,
    pods: number,
  ) {
    this.receivers = Array.from({ length: scenario.receivers }, () => ({ due: [], running: 0 }))
    this.ready = new Uint8Array(scenario.receivers)
    this.setSize(-POD_START_SECONDS, pods)
  }

  get size(): number {
    return this.pods.filter(({ isStopping }) => !isStopping).length
  }

  setSize(now: number, wanted: number): void {
    for (let missing = wanted - this.size; missing > 0; missing--) {
      this.pods.push({ readyAt: now + POD_START_SECONDS, busy: 0, isStopping: false })
    }
    for (const pod of this.pods.filter(({ isStopping }) => !isStopping).slice(wanted)) pod.isStopping = true
  }

  add(receiver: number, now: number): void {
    this.change(receiver, ({ due }) => due.push(now))
  }

  step(tick: number): void {
    for (const [pod, receiver] of this.endings.get(tick) ?? []) {
      pod.busy--
      this.change(receiver, (one) => one.running--)
    }
    this.endings.delete(tick)
    this.pods = this.pods.filter(({ isStopping, busy }) => !isStopping || busy > 0)
    const now = tick / TICKS_PER_SECOND
    for (const pod of this.pods) {
      while (pod.readyAt <= now && !pod.isStopping && pod.busy < SLOTS && this.start(pod, tick));
    }
  }

  /** What the view `delivery_demand` says: receivers with an attempt under way do not count. */
  oldestDueSeconds(now: number): number {
    const oldest = this.receivers.map(({ due, running }) => (running === 0 ? (due[0] ?? now) : now))
    return now - Math.min(...oldest)
  }

  /** Starts the next attempt, receiver by receiver. */
  private start(pod: Pod, tick: number): boolean {
    const next = this.ready.indexOf(1, this.turn)
    const nth = next < 0 ? this.ready.indexOf(1) : next
    if (nth < 0) return false
    this.turn = nth + 1
    const now = tick / TICKS_PER_SECOND
    this.change(nth, (receiver) => {
      this.waits.push({ receiver: nth, seconds: now - (receiver.due.shift() ?? now) })
      receiver.running++
    })
    pod.busy++
    const endsAt = tick + Math.round(this.scenario.attempt(nth, now) * TICKS_PER_SECOND)
    const ending = this.endings.get(endsAt)
    if (ending) ending.push([pod, nth])
    else this.endings.set(endsAt, [[pod, nth]])
    return true
  }

  private change(nth: number, work: (receiver: Receiver) => void): void {
    const receiver = this.receivers[nth]
    if (!receiver) return
    work(receiver)
    this.ready[nth] = Number(isReady(receiver))
  }
}

/** Runs a scenario with a setting. */
export function simulateDeliveries(scenario: DeliveryScenario, setting: DeliverySetting, seed = 1): DeliveryOutcome {
  const random = mersenne(seed)
  const draw = (limit: number): number => unsafeUniformIntDistribution(0, limit - 1, random)
  const autoscaler = new Autoscaler(setting)
  const senders = new Senders(scenario, setting.minReplicas)
  const counts = { podTicks: 0, peak: 0, changes: 0 }
  const { receivers, rate, burst, firstShare = 1 / receivers } = scenario
  for (let tick = 0; tick < scenario.seconds * TICKS_PER_SECOND; tick++) {
    const now = tick / TICKS_PER_SECOND
    // As many as expected on average: the fraction is drawn.
    const expected = rate / TICKS_PER_SECOND
    const due = Math.floor(expected) + Number(draw(1_000) < (expected % 1) * 1_000)
    const arriving = due + (burst?.at === now ? burst.deliveries : 0)
    for (let nth = 0; nth < arriving; nth++) senders.add(draw(10_000) < firstShare * 10_000 ? 0 : draw(receivers), now)
    senders.step(tick)
    counts.podTicks += senders.pods.length
    counts.peak = Math.max(counts.peak, senders.pods.length)
    if (now % SYNC_SECONDS !== 0) continue
    const value = senders.oldestDueSeconds(now)
    const size = autoscaler.decide(now, senders.size, [{ value, target: setting.latenessPerPod }])
    if (size !== senders.size) counts.changes++
    senders.setSize(now, size)
  }
  return {
    wait: summarize(senders.waits.map(({ seconds }) => seconds)),
    othersWait: summarize(senders.waits.filter(({ receiver }) => receiver !== 0).map(({ seconds }) => seconds)),
    pods: { mean: counts.podTicks / (scenario.seconds * TICKS_PER_SECOND), peak: counts.peak },
    changes: counts.changes,
  }
}
