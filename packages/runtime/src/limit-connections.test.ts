import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, Server as NetServer, Socket } from 'node:net'
import { type ConnectionLimits, type ConnectionRefusal, limitConnections } from './limit-connections.ts'

let refused: ConnectionRefusal[]
let server: Server
beforeEach(() => {
  refused = []
})
afterEach(async () => {
  server?.close()
  server?.closeAllConnections()
})

const limits = (changes: Partial<ConnectionLimits>): ConnectionLimits => ({
  total: 1_000,
  perAddress: 0,
  onRefused: (reason) => void refused.push(reason),
  ...changes,
})

const serve = async (changes: Partial<ConnectionLimits>): Promise<void> => {
  server = createServer((_request, response) => response.end('served'))
  limitConnections(server, limits(changes))
  await once(server.listen(0, '127.0.0.1'), 'listening')
}

/** Sends a request on a new connection, which stays open. Resolves to what comes back, or '' if the connection is closed. */
const ask = async (): Promise<{ received: string; socket: Socket }> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  socket.on('error', () => {}) // refused
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [received = ''] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
  return { received, socket }
}

test('closes the connections of an address beyond its limit, until another one of it ends', async () => {
  await serve({ perAddress: 2 })
  const [first] = [await ask(), await ask()]
  expect((await ask()).received).toBe('')
  expect((await ask()).received).toBe('')
  expect(refused).toEqual(['address', 'address'])
  const ended = once(server, 'connection').then(() => undefined)
  first?.socket.destroy()
  await once(first?.socket ?? new Socket(), 'close')
  // The server may notice the end later than the client.
  for (let answer = ''; answer === ''; ) answer = (await ask()).received
  await ended
  expect((await ask()).received).toBe('')
})

test('counts each IPv4 address and each /64 network of IPv6 addresses on its own', () => {
  const listener = new NetServer()
  limitConnections(listener, limits({ perAddress: 1 }))
  const open = (address: string): boolean => {
    const socket = new Socket()
    Object.defineProperty(socket, 'remoteAddress', { value: address })
    listener.emit('connection', socket)
    return !socket.destroyed
  }
  expect(['203.0.113.7', '203.0.113.8', '2001:db8:1:2::1', '2001:db8:1:3::1'].map(open)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['203.0.113.7', '::ffff:203.0.113.8', '2001:db8:1:2::ffff'].map(open)).toEqual([false, false, false])
})

test('closes connections beyond the total', async () => {
  await serve({ total: 1 })
  await ask()
  expect((await ask()).received).toBe('')
  expect(refused).toEqual(['total'])
})
