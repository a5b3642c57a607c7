import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A wire between a client and a server, which can be tampered with. */
export interface TcpLink {
  /** The server's URL with the wire in between. */
  readonly url: string
  /** Milliseconds that everything takes to pass from now on, either way; 0 ends it. */
  delay(ms: number): void
  /** Connections break, which both ends are told; new ones are refused until `heal`. */
  cut(): void
  /** Nothing passes and nobody is told; what was sent meanwhile arrives after `heal`. */
  silence(): void
  /**
   * The server loses the connections of this moment, and the client is not told: what it sends vanishes, and after `heal`
   * is answered by a reset, as by a host that has forgotten. A client that only listens hears nothing, ever. New
   * connections are fine.
   */
  forget(): void
  /** As `forget`, and no reset ever comes either: a router in between has let go of the connections. */
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
    client.on('error', () => {}) // seen by the loops below
    server.on('error', () => {})
    void Promise.all([carry(wire, 'client', state), carry(wire, 'server', state)]).finally(() => wires.delete(wire))
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

/** Carries what one end sends to the other, until either is gone. */
async function carry(wire: Wire, from: 'client' | 'server', state: LinkState): Promise<void> {
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
  // The other direction is over when the client itself has gone.
  if (wire.fate && from === 'client') wire.client.destroy()
}

async function pass(state: LinkState): Promise<void> {
  if (state.delayMs > 0) await sleep(state.delayMs)
  if (state.passage) await state.passage
}
