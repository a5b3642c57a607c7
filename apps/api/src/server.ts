import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { createHttpServer, endsWithin, type HttpServerOptions } from '@subtext/runtime'
import type { RenderRefusal, UnreadableReason } from './http/unreadable-requests.ts'

/** How long the sender of an unreadable request has to read the refusal before the connection is cut. */
const LINGER_MS = 1_000

export interface RunningServer {
  port: number
  countConnections(): Promise<number>
  /** Stops accepting requests, lets those in progress end within `graceMs`, then cuts the rest. */
  drain(graceMs: number): Promise<void>
}

export interface ListenOptions extends Omit<HttpServerOptions, 'options'> {
  /** Returns what is sent for input that never becomes a request. */
  renderRefusal?: RenderRefusal
  /** Changed in tests only. */
  limits?: ServerOptions
}

/** Serves the app. A connection whose input never becomes a request is refused and closed. */
export async function listen(
  app: RequestListener,
  port: number,
  host: string,
  { renderRefusal = async () => '', perAddress, onRefused, limits }: ListenOptions = {},
): Promise<RunningServer> {
  // Not a `Set`. When V8 resizes one, its old table keeps what it held and points to the new table. Once such a table is in the
  // old generation, all later ones outlive their use until the next full collection, and with them most responses.
  const open: ServerResponse[] = []
  const refuse = createRefuser(open, renderRefusal)
  const serve: RequestListener = (request, response) => {
    // RFC 9112, section 3.2. Node does not enforce it: it would use the first of several Host headers.
    const hosts = request.headersDistinct.host?.length ?? 0
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) void refuse(request.socket, 'malformed')
    else app(request, response)
  }
  const options = { requireHostHeader: false, ...limits }
  const server = createHttpServer(serve, { options, perAddress, onRefused })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(socket, REASONS[error.code ?? ''] ?? 'malformed'),
  )
  server.prependListener('request', (_request, response) => {
    open.push(response)
    response.once('close', () => open.splice(open.lastIndexOf(response), 1))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    countConnections: promisify(server.getConnections.bind(server)),
    drain: (graceMs) => drain(server, open, graceMs),
  }
}

// Error codes of Node's HTTP parser and of its request timeouts.
const REASONS: Record<string, UnreadableReason> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too slow',
  HPE_HEADER_OVERFLOW: 'headers too large',
}

type Refuse = (socket: Socket, reason: UnreadableReason) => Promise<void>

/**
 * Sends the refusal and closes the connection. Sends nothing if the caller could mistake the refusal for part of another
 * response.
 */
function createRefuser(open: readonly ServerResponse[], renderRefusal: RenderRefusal): Refuse {
  const refused = new WeakSet<Socket>()
  return async (socket, reason) => {
    // Everything that arrives afterwards is unreadable, too.
    if (refused.has(socket)) return
    refused.add(socket)
    const isResponding = (): boolean => open.some((response) => response.socket === socket && response.headersSent)
    if (!socket.writable || isResponding()) {
      socket.destroy()
      return
    }
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    const refusal = await renderRefusal(reason, socket.remoteAddress)
    if (isResponding()) socket.destroySoon()
    else if (socket.writable) socket.end(refusal)
  }
}

async function drain(server: Server, open: readonly ServerResponse[], graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection that is kept alive after its response would delay the shutdown.
  server.prependListener('request', (_request, response) => closeAfter(response))
  for (const response of open) closeAfter(response)
  if (!(await endsWithin(graceMs, closed))) server.closeAllConnections()
  await closed
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
  else response.once('finish', () => response.req.socket.destroySoon())
}
