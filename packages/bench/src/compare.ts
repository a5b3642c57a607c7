import { setTimeout as sleep } from 'node:timers/promises'
import { readFamilyMicros, readProcessMicros } from './cpu-time.ts'
import { median, type Quartiles, quartiles } from './quartiles.ts'
import { warmUp } from './warm-up.ts'

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
  /** Throws unless the round did what it says, according to what it has left behind; not measured. */
  verify?: (round: Round) => Promise<unknown>
}

/** One of the baselines: `same` does the same work, `floor` the minimum. */
export type SideName = 'ours' | 'same' | 'floor'
export type Sides = { ours: Side } & Partial<Record<SideName, Side>>

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
  total: Quartiles
}

export type Comparison = Partial<Record<SideName, Figures>> & {
  ours: Figures
  /** Our CPU time divided by that of the other side, in pairs of neighboring rounds. */
  cpuRatios: Partial<Record<SideName, Quartiles>>
}

export interface Servers {
  postgres?: { pid: number } | null
  redis?: { pid: number } | null
}

/** Work such as notifications and deferred writes continues after a response. It counts for the round that caused it. */
const SETTLE_MS = 50

interface Measured {
  perSecond: number
  medianMs: number
  cost: Cost
}

/**
 * Runs the sides in turns, beginning with another one in each round, so that other load affects all alike. First warms up each
 * until its CPU time is stable, for at most `maxWarmUps` rounds. Throws if a round does not measure what it says.
 */
export async function compare(
  servers: Servers,
  sides: Sides,
  rounds: number,
  maxWarmUps?: number,
): Promise<Comparison> {
  const names = Object.keys(sides) as SideName[]
  const sideOf = (name: SideName): Side => sides[name] ?? sides.ours
  for (const name of names) {
    await warmUp(async () => totalCost((await measure(servers, sideOf(name))).cost), maxWarmUps)
  }
  const measured = new Map(names.map((name) => [name, [] as Measured[]]))
  for (let round = 0; round < rounds; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length] ?? 'ours')
    for (const name of order) measured.get(name)?.push(await measure(servers, sideOf(name)))
  }
  const totals = (name: SideName): number[] => (measured.get(name) ?? []).map(({ cost }) => totalCost(cost))
  const ours = totals('ours')
  const figures = names.map((name) => [name, summarize(measured.get(name) ?? [])])
  const ratios = names
    .filter((name) => name !== 'ours')
    .map((name) => [name, quartiles(totals(name).map((total, round) => (ours[round] ?? Number.NaN) / total))])
  return { ...Object.fromEntries(figures), cpuRatios: Object.fromEntries(ratios) }
}

const totalCost = (cost: Cost): number => cost.app + cost.postgres + cost.redis

async function measure(servers: Servers, side: Side): Promise<Measured> {
  await side.prepare?.()
  await sleep(SETTLE_MS)
  const before = readCosts(servers, side)
  const round = await side.run()
  await sleep(SETTLE_MS)
  const after = readCosts(servers, side)
  const { count, seconds, medianMs = Number.NaN } = round
  if (count === 0 || after.app <= before.app) throw new Error('The process did nothing in a round.')
  await side.verify?.(round)
  const each = (part: keyof Cost): number => (after[part] - before[part]) / count
  return {
    perSecond: count / seconds,
    medianMs,
    cost: { app: each('app'), postgres: each('postgres'), redis: each('redis') },
  }
}

const readCosts = (servers: Servers, side: Side): Cost => ({
  app: readProcessMicros(side.process.pid),
  postgres: readFamilyMicros(servers.postgres?.pid ?? 0),
  redis: readFamilyMicros(servers.redis?.pid ?? 0),
})

function summarize(measured: Measured[]): Figures {
  const of = (pick: (measured: Measured) => number): number => median(measured.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    medianMs: of(({ medianMs }) => medianMs),
    cost: {
      app: of(({ cost }) => cost.app),
      postgres: of(({ cost }) => cost.postgres),
      redis: of(({ cost }) => cost.redis),
    },
    total: quartiles(measured.map(({ cost }) => totalCost(cost))),
  }
}
