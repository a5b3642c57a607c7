/** A side is warm when its CPU time has not fallen by more than this share for some rounds. */
const STABLE = 0.05
const STABLE_ROUNDS = 3
const MAX_ROUNDS = 20

/**
 * Repeats a round, which returns its CPU time, until that is stable, at most `maxRounds` times. Compilers work on for some tens of
 * thousands of requests: a single round that costs no less than the one before proves nothing.
 */
export async function warmUp(measure: () => Promise<number>, maxRounds = MAX_ROUNDS): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY
  let stableRounds = 0
  for (let round = 1; round <= maxRounds && stableRounds < STABLE_ROUNDS; round++) {
    const total = await measure()
    const fell = total < lowest * (1 - STABLE)
    if (fell) lowest = total
    stableRounds = fell ? 0 : stableRounds + 1
  }
}
