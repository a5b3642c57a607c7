import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may be unanswered at a time. Clients that pipeline more wait for their responses first. */
export const MAX_UNANSWERED_REQUESTS = 4
const END_OF_HEADERS = '\r\n\r\n'
/** What is read ahead, so that the end of a connection is noticed. */
const MAX_HELD_BYTES = 64 * 1024
/** Bodies are passed on in pieces of at least this size. */
const MIN_BODY_PIECE_BYTES = 1_024
const NOTHING = Buffer.alloc(0)

/**
 * Requests that have waited are started for this long, one at least; then everything else that has arrived has its turn. That is one
 * new connection: Node accepts no more at a time, so that a caller behind hundreds of them waits for as many turns.
 */
const TURN_MS = 1

/** What a connection is doing. */
interface Connection {
  unanswered: ServerResponse[]
  /** The request that was read last. Until it is complete, what arrives may be its body. */
  latest: IncomingMessage | undefined
  /** Continues reading once a request has been answered. */
  release: () => void
}

/**
 * Reads no further request from a connection while `MAX_UNANSWERED_REQUESTS` of its requests are unanswered. Node parses everything
 * that has arrived and starts every request at once: a megabyte contains more than twenty thousand of them.
 */
export function limitPipelining(server: Server): void {
  const connections = new WeakMap<Socket, Connection>()
  const resume = createTurns()
  server.on('connection', (socket: Socket) => connections.set(socket, meter(socket, resume)))
  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.latest = request
    connection.unanswered.push(response)
    response.once('close', () => {
      connection.unanswered.splice(connection.unanswered.indexOf(response), 1)
      resume(connection)
    })
  })
}

/**
 * Creates the function that lets a connection continue. Connections whose requests wait have their turns one after the other, each
 * for one request, so that many of them keep nobody else from being served.
 */
function createTurns(): (connection: Connection) => void {
  const due = new Set<Connection>()
  let isPlanned = false
  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(run)
  }
  const run = (): void => {
    isPlanned = false
    const end = performance.now() + TURN_MS
    for (const connection of due) {
      if (performance.now() > end) break
      due.delete(connection)
      connection.release()
    }
    if (due.size > 0) plan()
  }
  return (connection) => {
    due.add(connection)
    plan()
  }
}

/** Stands between the socket and Node's parser, and passes on no more than one head of a request at a time. */
function meter(socket: Socket, resume: (connection: Connection) => void): Connection {
  const connection: Connection = { unanswered: [], latest: undefined, release: () => void release() }
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let held: Buffer = NOTHING
  let readLater: number | undefined

  const mayReadBody = (): boolean =>
    connection.unanswered.length === MAX_UNANSWERED_REQUESTS && connection.latest?.complete === false

  // A piece of a body may contain further requests, of which the last may have a body as well: once there are too many, they wait
  // even for that. All but the last are complete, and so will be answered.
  const isFull = (): boolean =>
    (connection.unanswered.length >= MAX_UNANSWERED_REQUESTS && !mayReadBody()) ||
    socket.isPaused() ||
    socket.readableLength > 0

  /** Returns whether more may be read from the network. */
  const release = (): boolean => {
    let wantsMore = true
    while (held.length > 0 && !socket.destroyed && !isFull()) {
      // Bodies may contain many blank lines.
      const isInBody = connection.latest?.complete === false
      const end = held.indexOf(END_OF_HEADERS, isInBody ? MIN_BODY_PIECE_BYTES : 0)
      const piece = end === -1 ? held : held.subarray(0, end + END_OF_HEADERS.length)
      held = piece.length === held.length ? NOTHING : held.subarray(piece.length)
      const before = connection.latest
      wantsMore = push(piece)
      if (connection.latest === before || held.length === 0) continue
      // The next request waits until everybody else's first one has had its turn.
      resume(connection)
      break
    }
    if (held.length >= MAX_HELD_BYTES) return false
    if (readLater !== undefined && !socket.destroyed) {
      const size = readLater
      readLater = undefined
      read(size)
    }
    return wantsMore
  }

  socket.push = (chunk: Buffer | null) => {
    // As without pipelining, the caller has left: what is unanswered is given up.
    if (chunk === null) return push(null)
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    return release()
  }
  socket._read = (size) => {
    if (held.length < MAX_HELD_BYTES) read(size)
    else readLater = size
  }
  socket.on('resume', () => resume(connection))
  socket.once('close', () => {
    held = NOTHING
    // Node tells only the response that was being sent.
    for (const response of [...connection.unanswered]) {
      if (response.socket === null) response.destroy().emit('close')
    }
  })
  // With a listener for data, Node's parser gets what the socket pushes instead of reading past it.
  socket.on('data', () => {})
  return connection
}
