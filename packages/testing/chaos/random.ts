/** Chance that can be repeated: the same seed gives the same numbers. */
export interface Random {
  between(min: number, max: number): number
  /** Both ends included. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

/** mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function createGenerator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
}

export function createRandom(seed: number): Random {
  const next = createGenerator(seed)
  const between = (min: number, max: number): number => min + next() * (max - min)
  const integer = (min: number, max: number): number => Math.floor(between(min, max + 1))
  return {
    between,
    integer,
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.')
      return items[integer(0, items.length - 1)] as (typeof items)[number]
    },
    shuffle(items) {
      const shuffled = [...items]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(0, last)
        const moved = shuffled[last] as (typeof items)[number]
        shuffled[last] = shuffled[other] as (typeof items)[number]
        shuffled[other] = moved
      }
      return shuffled
    },
  }
}
