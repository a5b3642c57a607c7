const ROUNDS = 3
/** Below this, the smaller size is lost in the noise of garbage collection and compilation. */
const MIN_MEASURABLE_US = 1_000

interface Sizes {
  small: number
  large: number
}

const readCpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

const computeGrowth = (smallUs: number, largeUs: number, { small, large }: Sizes): number =>
  largeUs / large / (Math.max(smallUs, MIN_MEASURABLE_US) / small)

/**
 * Returns how much more CPU time each unit costs at the size `large` than at the size `small`: about 1 for work that is
 * linear in its size, and `large / small` for work that is quadratic. Takes the fastest of several rounds and counts CPU
 * time instead of elapsed time, so that the result depends neither on the speed of the machine nor on its load.
 */
export function measureGrowth(work: (size: number) => void, sizes: Sizes): number {
  const cpuOf = (size: number): number => {
    const before = readCpuUs()
    work(size)
    return readCpuUs() - before
  }
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    smallUs = Math.min(smallUs, cpuOf(sizes.small))
    largeUs = Math.min(largeUs, cpuOf(sizes.large))
  }
  return computeGrowth(smallUs, largeUs, sizes)
}

/** Like `measureGrowth`, for asynchronous work. `rounds`: fewer than usual for work that takes seconds. */
export async function measureAsyncGrowth(
  work: (size: number) => Promise<unknown>,
  sizes: Sizes,
  rounds = ROUNDS,
): Promise<number> {
  const cpuOf = async (size: number): Promise<number> => {
    const before = readCpuUs()
    await work(size)
    return readCpuUs() - before
  }
  let [smallUs, largeUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    smallUs = Math.min(smallUs, await cpuOf(sizes.small))
    largeUs = Math.min(largeUs, await cpuOf(sizes.large))
  }
  return computeGrowth(smallUs, largeUs, sizes)
}
