/** The sums of a usage period in which nothing happened. */
export const EMPTY_USAGE = {
  total_requests: 0,
  successful_requests: 0,
  failed_requests: 0,
  total_tokens: 0,
  total_cost: 0,
  videos_processed: 0,
}
