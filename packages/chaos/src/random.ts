import { mersenne, unsafeUniformIntDistribution } from 'pure-rand'

/** Reproducible random numbers: the same seed gives the same numbers. */
export interface Random {
  between(min: number, max: number): number
  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

const FRACTIONS = 2 ** 32

export function createRandom(seed: number): Random {
  const generator = mersenne(seed)
  const integer = (min: number, max: number): number => unsafeUniformIntDistribution(min, max, generator)
  const fraction = (): number => integer(0, FRACTIONS - 1) / FRACTIONS
  return {
    between: (min, max) => min + fraction() * (max - min),
    integer,
    chance: (probability) => fraction() < probability,
    pick(items) {
      const item = items.length > 0 ? items[integer(0, items.length - 1)] : undefined
      if (item === undefined) throw new RangeError('Cannot pick from an empty list.')
      return item
    },
    shuffle(items) {
      const left = [...items]
      return items.flatMap(() => left.splice(integer(0, left.length - 1), 1))
    },
  }
}
