/** How long every HTTP server of ours waits for a request, and for the next one. Node's defaults give a slow sender five minutes. */
export const SERVER_TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle timeout of common load balancers, so that they close a connection first. */
  keepAliveTimeout: 65_000,
}
