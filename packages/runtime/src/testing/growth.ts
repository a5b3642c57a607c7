const ROUNDS = 3
/** Minimum measured time: anything shorter is lost in the noise of garbage collection and compilation. */
const MIN_MEASURABLE_US = 1_000

interface Sizes {
  small: number
  large: number
}

const readCpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Returns how much more CPU time each unit costs at the size `large` than at the size `small`: about 1 for work that is
 * linear in its size, and `large / small` for work that is quadratic. Takes the fastest of several rounds and counts CPU
 * time instead of elapsed time, so that the result depends neither on the speed of the machine nor on its load. `rounds`:
 * fewer than usual for work that takes seconds. `readUs` returns the microseconds spent so far.
 */
export async function measureGrowth(
  work: (size: number) => unknown,
  sizes: Sizes,
  rounds = ROUNDS,
  readUs = readCpuUs,
): Promise<number> {
  const cpuOf = async (size: number): Promise<number> => {
    const before = readUs()
    await work(size)
    return readUs() - before
  }
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    smallUs = Math.min(smallUs, await cpuOf(sizes.small))
    largeUs = Math.min(largeUs, await cpuOf(sizes.large))
  }
  return largeUs / sizes.large / (Math.max(smallUs, MIN_MEASURABLE_US) / sizes.small)
}
