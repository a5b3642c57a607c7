import { setTimeout as sleep } from 'node:timers/promises'
import { readFamilyMicros, readProcessMicros } from './cpu-time.ts'
import { median, type Quartiles, quartiles } from './quartiles.ts'
import { warmUp } from './warm-up.ts'

/** The work done by one side in a round. */
export interface Round {
  count: number
  seconds: number
  /** Durations of requests, where there are requests. */
  medianMs?: number
  p99Ms?: number
}

export interface Side {
  /** The processes whose CPU time counts as that of the application. */
  processes: readonly { readonly pid: number }[]
  /** Replaces the rounds that warm up a side until its CPU time is stable. */
  warmUp?: () => Promise<unknown>
  /** Prepares a round; not measured. */
  prepare?: () => Promise<unknown>
  run(): Promise<Round>
  /** Throws unless the round did what it says, according to what it has left behind; not measured. */
  verify?: (round: Round) => Promise<unknown>
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
  p99Ms: number
  cost: Cost
  total: Quartiles
}

export interface Comparison {
  ours: Figures
  other: Figures
  /** Our CPU time divided by that of the other side, in pairs of neighboring rounds. */
  ratio: Quartiles
}

export interface Servers {
  postgres?: { pid: number } | null
  redis?: { pid: number } | null
}

/** Work such as notifications and deferred writes continues after a response. It counts for the round that caused it. */
const SETTLE_MS = 50

const MAX_WARM_UPS = 6

type Measured = Omit<Figures, 'total'>

/**
 * Runs both sides in turns after each has been warmed up, beginning with the other one in each round, so that other load affects
 * both alike. Throws if a round does not measure what it says.
 */
export async function compare(servers: Servers, ours: Side, other: Side, rounds: number): Promise<Comparison> {
  const sides = [ours, other].map((side) => ({ side, measured: [] as Measured[] }))
  for (const { side } of sides) {
    await (side.warmUp?.() ?? warmUp(async () => totalCost((await measure(servers, side)).cost), MAX_WARM_UPS))
  }
  for (let round = 0; round < rounds; round++) {
    for (const { side, measured } of round % 2 === 0 ? sides : sides.toReversed()) {
      measured.push(await measure(servers, side))
    }
  }
  const [first = [], second = []] = sides.map(({ measured }) => measured)
  const ratios = first.map(({ cost }, round) => totalCost(cost) / totalCost(second[round]?.cost ?? NOTHING))
  return { ours: summarize(first), other: summarize(second), ratio: quartiles(ratios) }
}

const NOTHING: Cost = { app: 0, postgres: 0, redis: 0 }

const totalCost = (cost: Cost): number => cost.app + cost.postgres + cost.redis

async function measure(servers: Servers, side: Side): Promise<Measured> {
  await side.prepare?.()
  await sleep(SETTLE_MS)
  const before = readCosts(servers, side)
  const round = await side.run()
  await sleep(SETTLE_MS)
  const after = readCosts(servers, side)
  const { count, seconds, medianMs = Number.NaN, p99Ms = Number.NaN } = round
  if (count === 0 || after.app <= before.app) throw new Error('The processes did nothing in a round.')
  await side.verify?.(round)
  const each = (part: keyof Cost): number => (after[part] - before[part]) / count
  const cost = { app: each('app'), postgres: each('postgres'), redis: each('redis') }
  return { perSecond: count / seconds, medianMs, p99Ms, cost }
}

const readCosts = (servers: Servers, side: Side): Cost => ({
  app: side.processes.reduce((sum, { pid }) => sum + readProcessMicros(pid), 0),
  postgres: readFamilyMicros(servers.postgres?.pid ?? 0),
  redis: readFamilyMicros(servers.redis?.pid ?? 0),
})

function summarize(measured: Measured[]): Figures {
  const of = (pick: (measured: Measured) => number): number => median(measured.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    medianMs: of(({ medianMs }) => medianMs),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cost: {
      app: of(({ cost }) => cost.app),
      postgres: of(({ cost }) => cost.postgres),
      redis: of(({ cost }) => cost.redis),
    },
    total: quartiles(measured.map(({ cost }) => totalCost(cost))),
  }
}
