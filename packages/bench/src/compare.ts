import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child-process.ts'
import type { Laboratory } from './laboratory.ts'
import { median } from './median.ts'
import { readFamilyMicros, readProcessMicros } from './processor-time.ts'

/** What one side did in a round. */
export interface Round {
  count: number
  seconds: number
  /** Of a single request, where there are requests. */
  medianMs?: number
}

export interface Side {
  /** Its CPU time counts as that of the application. */
  child: Child
  /** What a round needs; not measured. */
  prepare?: () => Promise<unknown>
  run(): Promise<Round>
}

/** Microseconds of CPU for one request or job. */
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
  bare: Figures
  /** Ours over bare, each the median over rounds that followed one another. */
  rateRatio: number
  cpuRatio: number
}

/** Work goes on after the answer: wake-ups, write-behind. It belongs to the round that caused it. */
const SETTLE_MS = 50

/** Runs both sides in turns, so that whatever else the machine does meets both alike, and takes medians. */
export async function compare(lab: Laboratory, ours: Side, bare: Side, rounds: number): Promise<Comparison> {
  await measure(lab, ours)
  await measure(lab, bare)
  const pairs: { ours: Figures; bare: Figures }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ ours: await measure(lab, ours), bare: await measure(lab, bare) })
    else {
      const second = await measure(lab, bare)
      pairs.push({ ours: await measure(lab, ours), bare: second })
    }
  }
  return {
    ours: summarize(pairs.map((pair) => pair.ours)),
    bare: summarize(pairs.map((pair) => pair.bare)),
    rateRatio: median(pairs.map((pair) => pair.ours.perSecond / pair.bare.perSecond)),
    cpuRatio: median(pairs.map((pair) => totalCost(pair.ours.cost) / totalCost(pair.bare.cost))),
  }
}

export const totalCost = (cost: Cost): number => cost.app + cost.postgres + cost.redis

async function measure(lab: Laboratory, side: Side): Promise<Figures> {
  await side.prepare?.()
  await sleep(SETTLE_MS)
  const before = readCosts(lab, side)
  const { count, seconds, medianMs = Number.NaN } = await side.run()
  await sleep(SETTLE_MS)
  const after = readCosts(lab, side)
  const each = (part: keyof Cost): number => (after[part] - before[part]) / count
  return {
    perSecond: count / seconds,
    medianMs,
    cost: { app: each('app'), postgres: each('postgres'), redis: each('redis') },
  }
}

const readCosts = ({ servers }: Laboratory, { child }: Side): Cost => ({
  app: readProcessMicros(child.pid),
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
