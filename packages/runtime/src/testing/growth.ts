const ROUNDS = 3
/** Below this, the smaller size is lost in the noise of garbage collection and compilation. */
const MIN_MEASURABLE_US = 1_000

const cpuOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * Returns how much more CPU time each unit costs at the size `large` than at the size `small`: about 1 for work that is
 * linear in its size, and `large / small` for work that is quadratic. Takes the fastest of several rounds and counts CPU
 * time instead of elapsed time, so that the result depends neither on the speed of the machine nor on its load.
 */
export function measureGrowth(
  work: (size: number) => void,
  { small, large }: { small: number; large: number },
): number {
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    smallUs = Math.min(
      smallUs,
      cpuOf(() => work(small)),
    )
    largeUs = Math.min(
      largeUs,
      cpuOf(() => work(large)),
    )
  }
  return largeUs / large / (Math.max(smallUs, MIN_MEASURABLE_US) / small)
}
