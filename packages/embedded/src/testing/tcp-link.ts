import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection between clients and a server that a test can disturb. */
export interface TcpLink {
  /** The server's URL with the port of the link. */
  readonly url: string
  /** Delays everything by `ms` milliseconds in both directions; 0 ends the delay. */
  delay(ms: number): void
  /** Resets all connections, which both ends notice, and refuses new ones until `heal`. */
  cut(): void
  /** Holds everything back without either end noticing; what was sent meanwhile arrives after `heal`. */
  silence(): void
  /**
   * Closes the current connections on the server's side without telling the client: what it sends is lost, and after
   * `heal` is answered by a reset, as by a host that has restarted. A client that only reads never notices. New connections
   * work.
   */
  forget(): void
  /** Like `forget`, but the client never gets a reset either, as if a router had dropped the connections. */
  lose(): void
  heal(): void
  close(): Promise<void>
}

interface Wire {
  client: Socket
  server: Socket
  fate?: 'forgotten' | 'lost'
}

export async function openTcpLink(target: string): Promise<TcpLink> {
  const { hostname, port } = new URL(target)
  const wires = new Set<Wire>()
  const state = { delayMs: 0, refusing: false, faulty: false, passage: null as Promise<void> | null }
  let unblock = (): void => {}

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (state.refusing) return void client.resetAndDestroy()
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
    const wire: Wire = { client, server }
    wires.add(wire)
    client.on('error', () => {}) // The loops below handle errors.
    server.on('error', () => {})
    void Promise.all([forward(wire, 'client', state), forward(wire, 'server', state)]).finally(() => wires.delete(wire))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(target)
  url.port = String((listener.address() as AddressInfo).port)

  const heal = (): void => {
    Object.assign(state, { delayMs: 0, refusing: false, faulty: false, passage: null })
    unblock()
  }
  const breakAll = (): void => {
    for (const { client, server } of wires) {
      client.resetAndDestroy()
      server.resetAndDestroy()
    }
  }
  const abandon = (fate: Wire['fate']): void => {
    state.faulty = true
    for (const wire of wires) {
      wire.fate = fate
      wire.server.destroy()
    }
  }
  return {
    url: url.href,
    delay(ms) {
      state.delayMs = ms
    },
    cut() {
      state.refusing = true
      breakAll()
    },
    silence() {
      state.passage ??= new Promise((resolve) => {
        unblock = resolve
      })
    },
    forget: () => abandon('forgotten'),
    lose: () => abandon('lost'),
    heal,
    async close() {
      heal()
      listener.close()
      breakAll()
      await once(listener, 'close')
    },
  }
}

interface LinkState {
  delayMs: number
  faulty: boolean
  passage: Promise<void> | null
}

/** Forwards what one end sends to the other until either is gone. */
async function forward(wire: Wire, from: 'client' | 'server', state: LinkState): Promise<void> {
  const [source, target] = from === 'client' ? [wire.client, wire.server] : [wire.server, wire.client]
  try {
    for await (const chunk of source) {
      await pass(state)
      if (!wire.fate) {
        if (!target.write(chunk as Buffer)) await Promise.race([once(target, 'drain'), once(target, 'close')])
      } else if (wire.fate === 'forgotten' && !state.faulty) wire.client.resetAndDestroy()
    }
    await pass(state)
    if (!wire.fate) target.end()
  } catch {
    await pass(state)
    if (!wire.fate) target.resetAndDestroy()
  }
  // The other direction ends when the client itself is gone.
  if (wire.fate && from === 'client') wire.client.destroy()
}

async function pass(state: LinkState): Promise<void> {
  if (state.delayMs > 0) await sleep(state.delayMs)
  if (state.passage) await state.passage
}
