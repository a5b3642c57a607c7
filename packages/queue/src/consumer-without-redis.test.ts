import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { type Consumer, createConsumer } from './consumer.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server that accepts connections and never responds. */
async function startSilentServer(port = 0): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).unref()
  })
  servers.push(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

function consume(port: number, onError = (_error: Error): void => {}): { consumer: Consumer; lost: Promise<void> } {
  let onLost = (): void => {}
  const lost = new Promise<void>((resolve) => {
    onLost = resolve
  })
  const consumer = createConsumer({
    url: `redis://127.0.0.1:${port}`,
    prefix: 'test',
    lanes: ['high', 'normal'],
    concurrency: 4,
    deadAfterSeconds: 600,
    process: async () => true,
    onError,
    onConnectionChange: () => onLost(),
  })
  return { consumer, lost }
}

/** Without its own timeouts, the consumer would wait for Redis indefinitely. */
async function stop(consumer: Consumer): Promise<void> {
  await consumer.pause()
  await consumer.close()
}

test('stops while Redis is unavailable, and then makes no more attempts to connect', async () => {
  const { port } = await startSilentServer()
  servers.pop()?.close()
  const { consumer, lost } = consume(port)
  await lost
  await stop(consumer)
  const { connections } = await startSilentServer(port)
  // Lost connections are retried within a second.
  await sleep(1_500)
  expect(connections()).toBe(0)
})

test('does not report each attempt to restore the connection', async () => {
  const { port } = await startSilentServer()
  servers.pop()?.close()
  const errors: string[] = []
  const { consumer, lost } = consume(port, (error) => errors.push(error.message))
  await lost
  await sleep(1_000)
  expect(errors).toEqual([])
  await stop(consumer)
})

test('stops while Redis accepts connections but does not respond', async () => {
  const { port, connections } = await startSilentServer()
  const { consumer } = consume(port)
  await waitUntil('the consumer has connected', () => connections() > 0)
  await stop(consumer)
})
