import { mersenne, unsafeUniformIntDistribution } from 'pure-rand'

export interface Scenario {
  name: string
  seconds: number
  /** Expected number of jobs that arrive within a second. */
  rate(second: number): number
  /** Jobs that arrive at once. */
  burst?: { at: number; jobs: number }
  /** Whether the video platform turns every request away. */
  isPlatformOut?(second: number): boolean
  /** Whether KEDA cannot read the metrics. */
  isScalerBlind?(second: number): boolean
}

const HOUR = 3_600
const between = (from: number, to: number) => (second: number) => second >= from && second < to

export const SCENARIOS: readonly Scenario[] = [
  { name: 'steady, 2 jobs/s', seconds: 3 * HOUR, rate: () => 2 },
  { name: 'burst of 5,000', seconds: 2 * HOUR, rate: () => 0.2, burst: { at: 600, jobs: 5_000 } },
  {
    name: 'day and night',
    seconds: 24 * HOUR,
    rate: (second) => 2.05 - 1.95 * Math.cos((2 * Math.PI * second) / (24 * HOUR)),
  },
  {
    name: 'platform out for 20 min',
    seconds: 3 * HOUR,
    rate: () => 2,
    isPlatformOut: between(HOUR, HOUR + 1_200),
  },
  {
    name: 'scaler blind for 20 min',
    seconds: 3 * HOUR,
    // Twice as many jobs while the metrics cannot be read.
    rate: (second) => (between(HOUR, HOUR + 1_200)(second) ? 4 : 2),
    isScalerBlind: between(HOUR, HOUR + 1_200),
  },
]

/** For the lane of urgent jobs, which have to start within ten seconds. */
export const URGENT_SCENARIOS: readonly Scenario[] = [
  { name: 'steady, 0.3 jobs/s', seconds: 3 * HOUR, rate: () => 0.3 },
  {
    name: 'four times as many for 15 min',
    seconds: 3 * HOUR,
    rate: (second) => (between(HOUR, HOUR + 900)(second) ? 1.2 : 0.3),
  },
]

export interface Arrival {
  at: number
  /** How long the job runs, in seconds. */
  seconds: number
}

const FRACTIONS = 2 ** 32
/** Half of the jobs take longer. On average they take 20 s, and one in twenty takes a minute. */
const MEDIAN_SECONDS = 14
const SPREAD = 0.85
const MIN_SECONDS = 2
const MAX_SECONDS = 600

/** Draws the jobs of a scenario, the same ones for the same seed. */
export function drawArrivals({ seconds, rate, burst }: Scenario, seed: number): Arrival[] {
  const generator = mersenne(seed)
  const random = (): number => (unsafeUniformIntDistribution(0, FRACTIONS - 2, generator) + 1) / FRACTIONS
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  const poisson = (mean: number): number => {
    let count = 0
    for (let product = random(); product > Math.exp(-mean); product *= random()) count++
    return count
  }
  const arrivals: Arrival[] = []
  for (let at = 0; at < seconds; at++) {
    const count = poisson(rate(at)) + (burst?.at === at ? burst.jobs : 0)
    for (let index = 0; index < count; index++) {
      const duration = Math.round(MEDIAN_SECONDS * Math.exp(SPREAD * normal()))
      arrivals.push({ at, seconds: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, duration)) })
    }
  }
  return arrivals
}
