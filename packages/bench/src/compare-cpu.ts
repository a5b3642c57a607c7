import { median } from './median.ts'

const ROUNDS = 7

const cpuMillis = async (task: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Returns median CPU times in milliseconds. Every round runs each task once, so that other load affects all tasks alike. */
export async function compareCpu<N extends string>(
  tasks: Record<N, () => unknown>,
  rounds = ROUNDS,
): Promise<Record<N, number>> {
  const names = Object.keys(tasks) as N[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>
  for (const name of names) await tasks[name]()
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(await cpuMillis(tasks[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<N, number>
}

/** Repeats a small task, so that the CPU clock can resolve it. */
export const repeated = (times: number, task: () => unknown) => async (): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await task()
}

export const formatMillis = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const formatRatio = (value: number): string => `${value.toFixed(2)}x`
export const formatLength = (hours: number): string =>
  (hours < 1 ? `${Math.round(hours * 60)} minutes` : `${hours} h`).padEnd(12)
