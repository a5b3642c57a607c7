import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type ConnectionLimits, limitConnections } from './limit-connections.ts'
import { limitPipelining } from './limit-pipelining.ts'

/** How long every HTTP server of ours waits for a request, and for the next one. Node's defaults give a slow sender five minutes. */
export const SERVER_TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle timeout of common load balancers, so that they close a connection first. */
  keepAliveTimeout: 65_000,
}

/**
 * Further connections are refused before they cost memory. The number of requests per connection is not limited: reusing a
 * connection is cheaper than opening one, and every request counts against the caller's request limit anyway.
 */
const MAX_CONNECTIONS = 10_000

export interface HttpServerOptions extends Partial<Omit<ConnectionLimits, 'total'>> {
  /** Further options of Node's server. */
  options?: ServerOptions
}

/** Creates an HTTP server with the limits of every server that we start: of time, of connections, and of requests per connection. */
export function createHttpServer(
  handle: RequestListener,
  { options, perAddress = 0, onRefused }: HttpServerOptions = {},
): Server {
  const server = createServer({ ...SERVER_TIMEOUTS, ...options }, handle)
  limitConnections(server, { total: MAX_CONNECTIONS, perAddress, onRefused })
  limitPipelining(server)
  // Without a listener, Node refuses unknown expectations with an empty body. They may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}
