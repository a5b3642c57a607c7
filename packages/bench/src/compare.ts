import { setTimeout as sleep } from 'node:timers/promises'
import { readFamilyMicros, readProcessMicros } from './cpu-time.ts'
import { median } from './median.ts'
import type { TestBed } from './test-bed.ts'

/** The work done by one side in a round. */
export interface Round {
  count: number
  seconds: number
  /** Median duration of a request, where there are requests. */
  medianMs?: number
}

export interface Side {
  /** The process whose CPU time counts as that of the application. */
  process: { readonly pid: number }
  /** Prepares a round; not measured. */
  prepare?: () => Promise<unknown>
  run(): Promise<Round>
}

/** CPU time per request or job, in microseconds. */
export interface Cost {
  app: number
  postgres: number
  redis: number
}

export interface Figures {
  perSecond: number
  medianMs: number
  cost: Cost
}

export interface Comparison {
  ours: Figures
  baseline: Figures
  /** Ours divided by the baseline's: the median over pairs of consecutive rounds. */
  rateRatio: number
  cpuRatio: number
}

/** Work such as notifications and deferred writes continues after a response. It counts for the round that caused it. */
const SETTLE_MS = 50

/** Runs both sides alternately, so that other load affects both alike, and returns medians. */
export async function compare(testBed: TestBed, ours: Side, baseline: Side, rounds: number): Promise<Comparison> {
  await measure(testBed, ours)
  await measure(testBed, baseline)
  const pairs: { ours: Figures; baseline: Figures }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ ours: await measure(testBed, ours), baseline: await measure(testBed, baseline) })
    else {
      const second = await measure(testBed, baseline)
      pairs.push({ ours: await measure(testBed, ours), baseline: second })
    }
  }
  return {
    ours: summarize(pairs.map((pair) => pair.ours)),
    baseline: summarize(pairs.map((pair) => pair.baseline)),
    rateRatio: median(pairs.map((pair) => pair.ours.perSecond / pair.baseline.perSecond)),
    cpuRatio: median(pairs.map((pair) => totalCost(pair.ours.cost) / totalCost(pair.baseline.cost))),
  }
}

export const totalCost = (cost: Cost): number => cost.app + cost.postgres + cost.redis

async function measure(testBed: TestBed, side: Side): Promise<Figures> {
  await side.prepare?.()
  await sleep(SETTLE_MS)
  const before = readCosts(testBed, side)
  const { count, seconds, medianMs = Number.NaN } = await side.run()
  await sleep(SETTLE_MS)
  const after = readCosts(testBed, side)
  const each = (part: keyof Cost): number => (after[part] - before[part]) / count
  return {
    perSecond: count / seconds,
    medianMs,
    cost: { app: each('app'), postgres: each('postgres'), redis: each('redis') },
  }
}

const readCosts = ({ servers }: TestBed, side: Side): Cost => ({
  app: readProcessMicros(side.process.pid),
  postgres: readFamilyMicros(servers.postgres?.pid ?? 0),
  redis: readFamilyMicros(servers.redis?.pid ?? 0),
})

function summarize(figures: Figures[]): Figures {
  const of = (pick: (figure: Figures) => number): number => median(figures.map(pick))
  return {
    perSecond: of((figure) => figure.perSecond),
    medianMs: of((figure) => figure.medianMs),
    cost: {
      app: of(({ cost }) => cost.app),
      postgres: of(({ cost }) => cost.postgres),
      redis: of(({ cost }) => cost.redis),
    },
  }
}
