import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/fakes'
import { createSender, type Sender } from './send.ts'

const TIMEOUT_MS = 400
const BODY = Buffer.from('{"title":"na\u00efve \u2615","n":1}')
const HEADERS = { 'Content-Type': 'application/json', 'X-Test': 'yes' }
const GUARDED = { allowPrivate: false, httpsOnly: false, attemptTimeoutMs: TIMEOUT_MS }
const TIMED_OUT = { statusCode: null, retryAfter: null, error: 'timeout' }
const BROKEN = { statusCode: null, retryAfter: null, error: 'connection' }
const answered = (statusCode: number, retryAfter: string | null = null) => ({ statusCode, retryAfter, error: null })

let sender: Sender
/** For peers that answer, on however slow a machine. */
let patient: Sender
let receiver: WebhookReceiver
const children: ChildProcess[] = []
const lines: Socket[] = []
const servers: { server: Server; sockets: Set<Socket> }[] = []

beforeAll(async () => {
  sender = createSender({ allowPrivate: true, httpsOnly: false, attemptTimeoutMs: TIMEOUT_MS })
  patient = createSender({ allowPrivate: true, httpsOnly: false, attemptTimeoutMs: 20_000 })
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await Promise.all([sender.close(), patient.close()])
  await receiver.close()
  for (const socket of lines) socket.destroy()
  for (const child of children) child.kill('SIGKILL')
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    sockets.add(socket)
    socket.on('error', () => {})
  })
  servers.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
const tcp = (greet: (socket: Socket) => void): Promise<string> => listen(createServer(greet))
const http = (handle: RequestListener): Promise<string> => listen(createHttpServer(handle))

/** A listener that accepts nothing, its line full: whoever comes next is not even refused. */
async function startDeaf(): Promise<string> {
  const listening =
    "require('net').createServer().listen(0, '127.0.0.1', 1, function () { console.log(this.address().port) })"
  const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGSTOP')
  const port = Number(line.toString())
  for (let count = 0; count < 8; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    lines.push(socket)
    await Promise.race([once(socket, 'connect'), sleep(50)])
  }
  return `http://127.0.0.1:${port}/hook`
}

/** Sends; fails the test when it takes far longer than an attempt may. */
async function send(url: string) {
  const started = performance.now()
  const outcome = await sender.send(url, HEADERS, BODY)
  expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + 5_000)
  return outcome
}
const drip = (peer: Writable, text: string): void => {
  const timer = setInterval(() => peer.write(text), 20)
  peer.on('close', () => clearInterval(timer))
}

test('the very bytes and headers arrive', async () => {
  expect(await patient.send(`${receiver.origin}/a?b=c`, HEADERS, BODY)).toEqual(answered(204))
  const [webhook] = receiver.received
  expect(webhook).toMatchObject({ method: 'POST', url: '/a?b=c', body: BODY })
  expect(webhook?.headers).toMatchObject({ 'x-test': 'yes', 'content-length': String(BODY.length) })
})

test.each([200, 201, 299, 301, 400, 404, 410, 429, 500, 503])('an answer of %i is what it is', async (status) => {
  receiver.answer({ status, headers: { 'Retry-After': '7' }, body: 'thanks' })
  expect(await patient.send(receiver.origin, HEADERS, BODY)).toEqual(answered(status, '7'))
  receiver.answer({})
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
  const canary = receiver.received.length
  const url = await http((_, response) => response.writeHead(status, { Location: receiver.origin }).end())
  expect(await patient.send(url, HEADERS, BODY)).toEqual(answered(status))
  expect(receiver.received).toHaveLength(canary)
})

describe('an attempt ends in time when the peer', () => {
  test.each<[string, () => Promise<string>]>([
    ['accepts and says nothing', () => tcp(() => {})],
    ['reads and says nothing', () => tcp((socket) => socket.resume())],
    ['drips its headers', () => tcp((socket) => drip(socket, 'a'))],
    ['drips header after header', () => tcp((socket) => drip(socket, 'X-A: b\r\n'))],
    ['hangs in the handshake of TLS', async () => (await tcp((socket) => socket.resume())).replace('http', 'https')],
    ['drips the handshake of TLS', async () => (await tcp((socket) => drip(socket, '\x16'))).replace('http', 'https')],
    ['does not accept', startDeaf],
    ['speaks of going on and never does', () => tcp((socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'))],
  ])('%s', async (_, start) => {
    const { error, statusCode } = await send(await start())
    expect(statusCode).toBeNull()
    expect(['timeout', 'connection']).toContain(error)
  })

  test('hangs before any answer, which is a timeout by name', async () => {
    expect(await send(await http(() => {}))).toEqual(TIMED_OUT)
  })

  test.each<[string, () => Promise<string>]>([
    ['an answer', () => http(() => {})],
    ['a connection', async () => (await tcp((socket) => socket.resume())).replace('http', 'https')],
  ])('as late as it may and hardly later, waiting for %s', async (_, start) => {
    const url = await start()
    const started = performance.now()
    expect(await send(url)).toEqual(TIMED_OUT)
    expect(performance.now() - started).toBeGreaterThan(TIMEOUT_MS - 20)
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + 500)
  })

  test('an answer is taken when its headers are there, long before the time is over', async () => {
    const patient = createSender({ allowPrivate: true, httpsOnly: false, attemptTimeoutMs: 60_000 })
    const url = await http((_, response) => drip(response.writeHead(202), 'a'))
    const started = performance.now()
    expect(await patient.send(url, HEADERS, BODY)).toEqual(answered(202))
    expect(performance.now() - started).toBeLessThan(5_000)
    await patient.close()
  })

  test.each<[string, RequestListener]>([
    ['drips its body', (_, response) => drip(response.writeHead(200), 'a')],
    ['never ends its body', (_, response) => void response.writeHead(200).write('a')],
    ['promises more than it sends', (_, response) => void response.writeHead(200, { 'Content-Length': 9 }).write('a')],
  ])('%s: the status was the answer', async (_, handle) => {
    expect(await send(await http(handle))).toEqual(answered(200))
  })

  test('sends without end: the status was the answer, and the rest is not taken', async () => {
    let sent = 0
    const url = await http((_, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384
      }
      response.on('drain', more)
      more()
    })
    expect((await send(url)).statusCode).toBe(200)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('a peer that breaks the rules is a failed connection', () => {
  const reply = (text: string | Buffer) => tcp((socket) => void socket.once('data', () => socket.end(text)))
  test.each<[string, () => Promise<string>]>([
    ['resets at once', () => tcp((socket) => socket.resetAndDestroy())],
    ['resets after the request', () => tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))],
    ['hangs up', () => tcp((socket) => socket.end())],
    ['speaks no HTTP', () => reply('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends garbage', () => reply(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
    ['sends headers without measure', () => reply(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`)],
    [
      'sends both lengths',
      () => reply('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    ['is not there', async () => 'http://127.0.0.1:1/'],
    ['has no name', async () => 'http://nobody.invalid/'],
  ])('%s', async (_, start) => {
    expect(await send(await start())).toEqual(BROKEN)
  })

  test('text that is no UTF-8 in the answer matters to nobody', async () => {
    const url = await http((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(Buffer.from([0xff, 0xc0])),
    )
    expect(await send(url)).toEqual(answered(200))
    expect((await send(await reply('HTTP/1.1 200 \xff\xfe\r\nContent-Length: 0\r\n\r\n'))).statusCode).toBe(200)
  })

  test('two waits in one answer are none', async () => {
    const url = await reply('HTTP/1.1 503 No\r\nRetry-After: 5\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n')
    expect(await send(url)).toEqual(answered(503))
  })
})

describe('the guard', () => {
  let guarded: Sender
  beforeAll(() => {
    guarded = createSender(GUARDED)
  })
  afterAll(() => guarded.close())

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'LOCALHOST.',
    'sub.localhost',
    'localhost.localdomain',
  ])('never reaches this machine as %s', async (host) => {
    const reached = receiver.received.length
    const { port } = new URL(receiver.origin)
    const outcome = await guarded.send(`http://${host}:${port}/`, HEADERS, BODY)
    expect(outcome.statusCode).toBeNull()
    expect(receiver.received).toHaveLength(reached)
  })

  test('says so where the address is private, and judges credentials and schemes again', async () => {
    const refusal = { statusCode: null, retryAfter: null, error: 'address_refused' }
    for (const url of ['http://10.0.0.1/', 'https://user:pass@example.org/', 'file:///etc/passwd', 'no url']) {
      expect(await guarded.send(url, HEADERS, BODY)).toEqual(refusal)
    }
  })

  describe('judges what a name stands for at the moment of the connection:', () => {
    /** A sender in whose world every name has the addresses that `answer` gives, time after time. */
    const inWorld = (answer: (time: number) => string[]): Sender => {
      let times = 0
      const resolve = async () => answer(++times)
      return createSender({ ...GUARDED, resolve })
    }
    test.each([
      ['a name of this machine', () => ['127.0.0.1']],
      ['a name of this machine in IPv6', () => ['::1']],
      ['a dressed-up address', () => ['::ffff:127.0.0.1']],
      ['a private address among public ones', () => ['192.0.66.2', '127.0.0.1']],
      ['a name without an address', () => []],
    ])('%s', async (_, answer: () => string[]) => {
      const reached = receiver.received.length
      const own = inWorld(answer)
      const outcome = await own.send(`http://hook.example.org:${new URL(receiver.origin).port}/`, HEADERS, BODY)
      await own.close()
      expect(outcome).toEqual({ statusCode: null, retryAfter: null, error: 'address_refused' })
      expect(receiver.received).toHaveLength(reached)
    })

    test('a name that nobody resolves is a failed connection, a name server that never answers a timeout', async () => {
      const nobody = createSender({ ...GUARDED, resolve: () => Promise.reject(new Error('queryA ENOTFOUND')) })
      expect(await nobody.send('http://hook.example.org/', HEADERS, BODY)).toEqual(BROKEN)
      const silent = createSender({ ...GUARDED, resolve: () => new Promise(() => {}) })
      expect(await silent.send('http://hook.example.org/', HEADERS, BODY)).toEqual(TIMED_OUT)
      await Promise.all([nobody.close(), silent.close()])
    })
  })
})
