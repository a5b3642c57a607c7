import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Node's own limits leave a slow sender a minute for the headers and five for the body.
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle time of common load balancers, so that they, not we, close a connection first. */
  keepAliveTimeout: 65_000,
}

export interface RunningServer {
  port: number
  /** Takes no new request, lets those under way end within `graceMs`, then cuts them. */
  drain(graceMs: number): Promise<void>
}

export async function listen(app: RequestListener, port: number, host: string): Promise<RunningServer> {
  const server = createServer(LIMITS, app)
  const open = new Set<ServerResponse>()
  server.prependListener('request', (_request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { port: (server.address() as AddressInfo).port, drain: (graceMs) => drain(server, open, graceMs) }
}

async function drain(server: Server, open: Set<ServerResponse>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection that is kept alive after its answer would keep us from ending.
  server.prependListener('request', (_request, response) => closeAfter(response))
  for (const response of open) closeAfter(response)
  const inTime = await Promise.race([closed.then(() => true), sleep(graceMs, false, { ref: false })])
  if (!inTime) server.closeAllConnections()
  await closed
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
  else response.once('finish', () => response.req.socket.destroySoon())
}
