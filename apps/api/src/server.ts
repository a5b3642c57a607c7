import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerBroken, Breakage } from './http/broken-requests.ts'

// Node's own limits leave a slow sender a minute for the headers and five for the body.
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle time of common load balancers, so that they, not we, close a connection first. */
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}
/**
 * More than this are refused before they cost memory. Requests on one connection are not limited: a caller who keeps one open
 * costs less than one who comes anew, and its requests are counted anyway.
 */
const MAX_CONNECTIONS = 10_000
/** How long who sent something broken may take to read our answer. */
const LINGER_MS = 1_000

export interface RunningServer {
  port: number
  /** Takes no new request, lets those under way end within `graceMs`, then cuts them. */
  drain(graceMs: number): Promise<void>
}

/** What never becomes a request is answered by `answerBroken`; the connection is closed in any case. */
export async function listen(
  app: RequestListener,
  port: number,
  host: string,
  answerBroken: AnswerBroken = async () => '',
): Promise<RunningServer> {
  const open = new Set<ServerResponse>()
  const refuse = createRefuser(open, answerBroken)
  const serve: RequestListener = (request, response) => {
    // RFC 9112, section 3.2. Left to us by Node, which refuses none without a body and takes the first of several.
    const hosts = request.headersDistinct.host?.length ?? 0
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) void refuse(request.socket, 'malformed')
    else app(request, response)
  }
  const server = createServer(LIMITS, serve)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(socket, BREAKAGES[error.code ?? ''] ?? 'malformed'),
  )
  server.maxConnections = MAX_CONNECTIONS
  // Otherwise Node refuses expectations it does not know, without a body. They may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve)
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

// Codes of Node's HTTP parser and of its timer for requests.
const BREAKAGES: Record<string, Breakage> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too slow',
  HPE_HEADER_OVERFLOW: 'headers too large',
}

type Refuse = (socket: Socket, breakage: Breakage) => Promise<void>

/** Answers what is no request, where that cannot be mistaken for a part of another answer, and closes the connection. */
function createRefuser(open: ReadonlySet<ServerResponse>, answerBroken: AnswerBroken): Refuse {
  const refused = new WeakSet<Socket>()
  return async (socket, breakage) => {
    // What else arrives is as broken.
    if (refused.has(socket)) return
    refused.add(socket)
    const isAnswering = (): boolean => [...open].some((response) => response.socket === socket && response.headersSent)
    if (!socket.writable || isAnswering()) {
      socket.destroy()
      return
    }
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    const answer = await answerBroken(breakage, socket.remoteAddress)
    if (isAnswering()) socket.destroySoon()
    else if (socket.writable) socket.end(answer)
  }
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
