import { at } from '@subtext/runtime'

export interface Turns<T> {
  add(member: T): void
  delete(member: T): void
}

export interface TurnOptions {
  /** How often each member has its turn. */
  everyMs: number
  /** The number of groups that the members are divided into. */
  count: number
}

/**
 * Creates groups of members and calls `run` for one group after the other, so that the work is spread evenly. All of them share
 * one timer, which runs while there are members.
 */
export function createTurns<T>({ everyMs, count }: TurnOptions, run: (members: ReadonlySet<T>) => void): Turns<T> {
  const groups = Array.from({ length: count }, () => new Set<T>())
  let added = 0
  let next = 0
  let timer: NodeJS.Timeout | undefined

  const runNext = (): void => {
    const members = at(groups, next)
    next = (next + 1) % count
    if (members.size > 0) run(members)
  }
  return {
    add(member) {
      at(groups, added++ % count).add(member)
      timer ??= setInterval(runNext, everyMs / count)
    },
    delete(member) {
      for (const members of groups) members.delete(member)
      if (groups.some(({ size }) => size > 0)) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
