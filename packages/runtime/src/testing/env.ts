const DEFAULT_FUZZ_RUNS = 200

/** Returns the number of runs of a property test: few by default, thousands in `npm run fuzz`. */
export const fuzzRuns = (): number => Number(process.env.FUZZ_RUNS ?? DEFAULT_FUZZ_RUNS)
