/** A side is warm when its CPU time no longer falls by more than this share. */
const STABLE = 0.1
const MIN_ROUNDS = 3
const MAX_ROUNDS = 10

/** Repeats a round, which returns its CPU time, until that is stable, at most `maxRounds` times. */
export async function warmUp(measure: () => Promise<number>, maxRounds = MAX_ROUNDS): Promise<void> {
  let last = Number.POSITIVE_INFINITY
  for (let round = 1; round <= maxRounds; round++) {
    const total = await measure()
    if (round >= MIN_ROUNDS && total > last * (1 - STABLE)) return
    last = Math.min(last, total)
  }
}
