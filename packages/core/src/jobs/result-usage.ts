import type { ResultUsage, SummaryMode, TokenReceipt } from '@subtext/contracts'

type Sums = Omit<ResultUsage, 'model' | 'cached' | 'by_mode' | 'overhead'>

const NO_TOKENS: TokenReceipt = {
  fresh_input_tokens: 0,
  cache_write_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
}
const NO_SUMS: Sums = {
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
}

/** The usage of a result as its row stores it: sums or tokens that are all 0 may be left out. */
export type StoredUsage = Partial<Sums> &
  Pick<ResultUsage, 'model' | 'cached'> & {
    by_mode?: Partial<Record<SummaryMode, Partial<TokenReceipt>>>
    overhead?: Partial<TokenReceipt>
  }

/** Leaves out sums and tokens that are all 0: most of the bytes of a result without a language model. */
export function packUsage({ model, cached, by_mode: byMode, overhead, ...sums }: ResultUsage): StoredUsage {
  return {
    model,
    cached,
    ...packCounts(sums),
    ...(byMode && { by_mode: mapValues(byMode, packCounts) }),
    ...(overhead && { overhead: packCounts(overhead) }),
  }
}

const packCounts = <Counts extends object>(counts: Counts): Counts | Record<string, never> =>
  Object.values(counts).some((count) => count !== 0) ? counts : {}

/** Adds the zeros that are not stored. */
export function unpackUsage({ by_mode: byMode, overhead, ...stored }: StoredUsage): ResultUsage {
  const usage: ResultUsage = stored.total_tokens === undefined ? { ...NO_SUMS, ...stored } : (stored as ResultUsage)
  return {
    ...usage,
    ...(byMode && { by_mode: mapValues(byMode, unpackTokens) }),
    ...(overhead && { overhead: unpackTokens(overhead) }),
  }
}

const unpackTokens = (tokens: Partial<TokenReceipt>): TokenReceipt => ({ ...NO_TOKENS, ...tokens })

const mapValues = <Key extends string, From, To>(
  object: Partial<Record<Key, From>>,
  map: (value: From) => To,
): Partial<Record<Key, To>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as From)])) as Partial<
    Record<Key, To>
  >
