const DEFAULT_FUZZ_RUNS = 200

/** Returns the number of runs of a property test: few by default, thousands in `npm run fuzz`. */
export const fuzzRuns = (): number => Number(process.env.FUZZ_RUNS ?? DEFAULT_FUZZ_RUNS)

/**
 * Returns the kinds of model servers that tests of summaries run against: `onPush`, or all of them with
 * `MODEL_SERVERS=all`, or those that `MODEL_SERVERS` names, separated by semicolons.
 */
export function selectModelServers<K extends string>(all: readonly K[], onPush: readonly K[]): readonly K[] {
  const { MODEL_SERVERS: wanted } = process.env
  if (!wanted) return onPush
  if (wanted === 'all') return all
  const names = new Set(wanted.split(';').map((name) => name.trim()))
  const found = all.filter((kind) => names.has(kind))
  if (found.length !== names.size) throw new Error(`MODEL_SERVERS names a server that is not one of: ${all.join('; ')}`)
  return found
}
