import { type Quartiles, quartiles } from './quartiles.ts'
import { warmUp } from './warm-up.ts'

const ROUNDS = 7

const cpuMillis = async (task: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

export interface CpuTimes {
  /** Milliseconds. */
  times: Quartiles
  /** The time of the first task divided by that of this one, in the same round. */
  ratio: Quartiles
}

/**
 * Measures CPU times of tasks that are warm. Every round runs each task once, so that other load affects all tasks alike.
 */
export async function compareCpu<N extends string>(
  tasks: Record<N, () => unknown>,
  rounds = ROUNDS,
): Promise<Record<N, CpuTimes>> {
  const names = Object.keys(tasks) as N[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (const name of names) await warmUp(() => cpuMillis(tasks[name]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times.get(name)?.push(await cpuMillis(tasks[name]))
  }
  const [first = []] = times.values()
  const results = names.map((name) => {
    const own = times.get(name) ?? []
    const ratio = quartiles(own.map((spent, round) => (first[round] ?? Number.NaN) / spent))
    return [name, { times: quartiles(own), ratio } satisfies CpuTimes]
  })
  return Object.fromEntries(results)
}

/** Repeats a small task, so that the CPU clock can resolve it. */
export const repeated = (times: number, task: () => unknown) => async (): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await task()
}

export const formatMillis = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const formatRatio = (value: number): string => `${value.toFixed(2)}x`
export const formatRange = ({ low, median, high }: Quartiles, format: (value: number) => string): string =>
  `${format(median)} [${format(low)} - ${format(high)}]`
export const formatLength = (hours: number): string =>
  (hours < 1 ? `${Math.round(hours * 60)} minutes` : `${hours} h`).padEnd(12)
