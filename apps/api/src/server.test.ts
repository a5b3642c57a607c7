import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { SERVER_TIMEOUTS } from '@subtext/runtime'
import { listen, type RunningServer } from './server.ts'

let server: RunningServer
let arrived = 0
/** More than fits into the buffers of a socket. */
const LARGE = 'x'.repeat(8_000_000)
const release: (() => void)[] = []

const renderRefusal = async (reason: string): Promise<string> => `refused: ${reason}`

/** Longer than `LONG_MS`, and without effect on a test that passes. */
const GRACE_MS = 120_000
/** Far longer than a busy machine needs, and shorter than any timeout or grace period below. */
const LONG_MS = 55_000

beforeEach(async () => {
  arrived = 0
  release.length = 0
  server = await listen(
    (request, response) => {
      arrived++
      if (request.url === '/begun') {
        response.write('begun')
        release.push(() => response.end(LARGE))
      } else if (request.url === '/slow') release.push(() => response.end('done'))
      else if (request.method === 'POST') request.resume().once('end', () => response.end('read'))
      else response.end('quick')
    },
    0,
    '127.0.0.1',
    { renderRefusal },
  )
})
afterEach(() => server.drain(0))

interface RawClient {
  socket: Socket
  received: () => string
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>
}

function connectRaw(): RawClient {
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {}) // the server may reset what it cuts
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { socket, received: () => received, closed }
}

/** Sends a byte from time to time until the server closes the connection. */
async function drip({ socket, closed }: RawClient, text: string): Promise<void> {
  const timer = setInterval(() => socket.writable && socket.write(text), 100)
  try {
    await closed
  } finally {
    clearInterval(timer)
    socket.destroy()
  }
}

const get = (path: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = httpGet(
      { host: '127.0.0.1', port: server.port, path, agent },
      async (response: IncomingMessage) => {
        let text = ''
        for await (const piece of response) text += piece
        resolve(text)
      },
    )
    request.once('error', reject)
  })

const arrivals = (count: number) => waitUntil(`${count} requests arrive`, () => arrived >= count)

const timed = async (work: Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work
  return performance.now() - started
}

describe('listen', () => {
  test('refuses the connections of an address beyond its limit, whether or not they send anything', async () => {
    let refused = 0
    const limited = await listen((_request, response) => response.end('quick'), 0, '127.0.0.1', {
      perAddress: 2,
      onRefused: () => void refused++,
    })
    const sockets = Array.from({ length: 3 }, () => connect(limited.port, '127.0.0.1').on('error', () => {}))
    await Promise.race(sockets.map((socket) => once(socket, 'close')))
    expect(refused).toBe(1)
    expect(await limited.countConnections()).toBe(2)
    for (const socket of sockets) socket.destroy()
    await limited.drain(0)
  })

  test('gives a sender 5 s for the headers and 10 s for the whole request, checked every second', () => {
    expect(SERVER_TIMEOUTS).toMatchObject({
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
    })
  })

  test('cuts senders that take too long and serves others in the meantime', async () => {
    const limits = { headersTimeout: 500, requestTimeout: 1_000, connectionsCheckingInterval: 100 }
    await server.drain(0)
    server = await listen((request, response) => request.method === 'GET' && response.end('quick'), 0, '127.0.0.1', {
      renderRefusal,
      limits,
    })
    const [headers, body, silent] = [connectRaw(), connectRaw(), connectRaw()]
    headers.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    body.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n')
    const cut = Promise.all([drip(headers, 'a'), drip(body, 'a'), drip(silent, '')])
    const agent = new Agent()
    expect(await get('/', agent)).toBe('quick')
    await cut
    for (const sender of [headers, body, silent]) expect(sender.received()).toBe('refused: too slow')
    expect(await get('/', agent)).toBe('quick')
    agent.destroy()
  })

  test('refuses headers that are too large', async () => {
    const client = connectRaw()
    client.socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(100_000)}\r\n\r\n`)
    await client.closed
    expect(client.received()).toBe('refused: headers too large')
    expect(arrived).toBe(0)
  })

  test('does not write its refusal into a response that has begun', async () => {
    const client = connectRaw()
    client.socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')
    await client.closed
    expect(client.received()).not.toContain('refused')
  })

  test('serves any number of requests per connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let request = 0; request < 200; request++) expect(await get('/', agent)).toBe('quick')
    agent.destroy()
  })

  test('rejects when the port is in use', async () => {
    await expect(listen(() => {}, server.port, '127.0.0.1', { renderRefusal })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })
})

describe('drain', () => {
  test('closes idle connections and accepts no new ones', async () => {
    const agent = new Agent({ keepAlive: true })
    expect(await get('/', agent)).toBe('quick')
    expect(await timed(server.drain(GRACE_MS))).toBeLessThan(LONG_MS)
    await expect(get('/', new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    agent.destroy()
  })

  test('waits for requests in progress, and then closes their connections', async () => {
    const agent = new Agent({ keepAlive: true })
    const responses = Promise.all([get('/slow', agent), get('/slow', agent)])
    await arrivals(2)
    const drained = timed(server.drain(GRACE_MS))
    await sleep(300)
    for (const finish of release) finish()
    expect(await responses).toEqual(['done', 'done'])
    expect(await drained).toBeLessThan(LONG_MS)
    agent.destroy()
  })

  test('completes a response that has begun, and then closes its connection', async () => {
    const agent = new Agent({ keepAlive: true })
    const response = get('/begun', agent)
    await arrivals(1)
    const drained = timed(server.drain(GRACE_MS))
    await sleep(300)
    for (const finish of release) finish()
    expect(await response).toBe(`begun${LARGE}`)
    expect(await drained).toBeLessThan(LONG_MS)
    agent.destroy()
  })

  test('responds to a request that has only begun to arrive, and then closes its connection', async () => {
    const client = connectRaw()
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n')
    // With the first response, the server has also read the beginning of the second request.
    await waitUntil('the first response arrives', () => client.received().endsWith('quick'))
    const drained = timed(server.drain(GRACE_MS))
    await sleep(200)
    client.socket.write('\r\n')
    await client.closed
    expect(client.received()).toMatch(/quickHTTP\/1\.1 200 OK\r\n.*\bConnection: close\r\n.*quick$/s)
    expect(await drained).toBeLessThan(LONG_MS)
  })

  test('cuts requests that do not end within the grace period', async () => {
    const agent = new Agent({ keepAlive: true })
    const hung = get('/slow', agent).catch((error: { code?: string }) => error.code)
    await arrivals(1)
    const ms = await timed(server.drain(500))
    expect(ms).toBeGreaterThan(400)
    expect(ms).toBeLessThan(LONG_MS)
    expect(await hung).toBe('ECONNRESET')
    agent.destroy()
  })
})
