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
const PATIENT_MS = 500_000
/** Far longer than a short attempt takes on a busy machine, and far shorter than one without a timeout. */
const MAX_MS = 240_000
const GUARDED = { allowPrivate: false, httpsOnly: false, attemptTimeoutMs: PATIENT_MS }
const failed = (error: string) => ({ statusCode: null, retryAfter: null, responseBody: null, error })
const TIMED_OUT = failed('timeout')
const answered = (statusCode: number, retryAfter: string | null = null, responseBody = '') => ({
  statusCode,
  retryAfter,
  responseBody,
  error: null,
})

/** For peers that do not respond. */
let sender: Sender
/** For peers that respond, even on a slow machine. */
let patient: Sender
let receiver: WebhookReceiver
const children: ChildProcess[] = []
const lines: Socket[] = []
const servers: { server: Server; sockets: Set<Socket> }[] = []

beforeAll(async () => {
  sender = createSender({ allowPrivate: true, httpsOnly: false, attemptTimeoutMs: TIMEOUT_MS })
  patient = createSender({ allowPrivate: true, httpsOnly: false, attemptTimeoutMs: PATIENT_MS })
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
    socket.on('error', () => {})
  })
  servers.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
const tcp = (greet: (socket: Socket) => void): Promise<string> => listen(createServer(greet))
const http = (handle: RequestListener): Promise<string> => listen(createHttpServer(handle))

/** Starts a listener that accepts nothing and whose queue is full: further connections are not even refused. */
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

/** Sends with the short timeout. Fails the test when the attempt does not end in time. */
async function sendShort(url: string) {
  const started = performance.now()
  const outcome = await sender.send(url, HEADERS, BODY)
  const ms = performance.now() - started
  expect(ms).toBeLessThan(MAX_MS)
  return { outcome, ms }
}
const send = (url: string) => patient.send(url, HEADERS, BODY)
const drip = (peer: Writable, text: string): void => {
  const timer = setInterval(() => peer.write(text), 20)
  peer.on('close', () => clearInterval(timer))
}

test('sends the exact bytes and headers', async () => {
  expect(await send(`${receiver.origin}/a?b=c`)).toEqual(answered(204))
  const [webhook] = receiver.received
  expect(webhook).toMatchObject({ method: 'POST', url: '/a?b=c', body: BODY })
  expect(webhook?.headers).toMatchObject({ 'x-test': 'yes', 'content-length': String(BODY.length) })
})

test.each([200, 201, 299, 301, 400, 404, 410, 429, 500, 503])(
  'reports the status %i and Retry-After',
  async (status) => {
    receiver.reply({ status, headers: { 'Retry-After': '7' }, body: 'thanks' })
    expect(await send(receiver.origin)).toEqual(answered(status, '7', 'thanks'))
    receiver.reply({})
  },
)

test('keeps the first 2,000 bytes of a response as text, whatever they are', async () => {
  const reply = async (body: Buffer | string) =>
    (await send(await http((_, response) => response.writeHead(500).end(body)))).responseBody
  expect(await reply('<script>alert(1)</script>\u0000')).toBe('<script>alert(1)</script>\ufffd')
  expect(await reply(`${'x'.repeat(1_999)}\u00e9${'y'.repeat(60_000)}`)).toBe('x'.repeat(1_999))
})

test('waits for the final response after informational ones', async () => {
  const url = await http((_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeProcessing()
    setTimeout(() => response.writeHead(503, { 'Retry-After': '7' }).end(), 20)
  })
  expect(await send(url)).toEqual(answered(503, '7'))
})

test.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
  const canary = receiver.received.length
  const url = await http((_, response) => response.writeHead(status, { Location: receiver.origin }).end())
  expect(await send(url)).toEqual(answered(status))
  expect(receiver.received).toHaveLength(canary)
})

describe('an attempt', () => {
  test.each<[string, () => Promise<string>]>([
    ['accepts and says nothing', () => tcp(() => {})],
    ['reads and says nothing', () => tcp((socket) => socket.resume())],
    ['drips its headers', () => tcp((socket) => drip(socket, 'a'))],
    ['drips header after header', () => tcp((socket) => drip(socket, 'X-A: b\r\n'))],
    ['hangs during the TLS handshake', async () => (await tcp((socket) => socket.resume())).replace('http', 'https')],
    ['drips the TLS handshake', async () => (await tcp((socket) => drip(socket, '\x16'))).replace('http', 'https')],
    ['does not accept connections', startDeaf],
    ['keeps sending 100 Continue', () => tcp((socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'))],
  ])('ends in time when the receiver %s', async (_, start) => {
    const { error, statusCode } = (await sendShort(await start())).outcome
    expect(statusCode).toBeNull()
    expect(['timeout', 'reset', 'tls', 'invalid_response']).toContain(error)
  })

  test('times out when the receiver never responds', async () => {
    expect((await sendShort(await http(() => {}))).outcome).toEqual(TIMED_OUT)
  })

  test.each<[string, () => Promise<string>]>([
    ['a response', () => http(() => {})],
    ['a connection', async () => (await tcp((socket) => socket.resume())).replace('http', 'https')],
  ])('does not end before its timeout while it waits for %s', async (_, start) => {
    const { outcome, ms } = await sendShort(await start())
    expect(outcome).toEqual(TIMED_OUT)
    expect(ms).toBeGreaterThan(TIMEOUT_MS - 20)
  })

  test('ends with the headers of the response, long before its timeout', async () => {
    const url = await http((_, response) => drip(response.writeHead(202), 'a'))
    const started = performance.now()
    expect((await send(url)).statusCode).toBe(202)
    expect(performance.now() - started).toBeLessThan(MAX_MS)
  })

  test.each<[string, RequestListener]>([
    ['drips its body', (_, response) => drip(response.writeHead(200), 'a')],
    ['never ends its body', (_, response) => void response.writeHead(200).write('a')],
    ['promises more than it sends', (_, response) => void response.writeHead(200, { 'Content-Length': 9 }).write('a')],
  ])('ends with the status when the receiver %s', async (_, handle) => {
    expect(await send(await http(handle))).toMatchObject({
      statusCode: 200,
      responseBody: expect.stringMatching(/^a*$/),
    })
  })

  test('does not read an endless body to its end', async () => {
    let sent = 0
    const url = await http((_, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384
      }
      response.on('drain', more)
      more()
    })
    expect(await send(url)).toEqual(answered(200, null, 'x'.repeat(2_000)))
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('an invalid response', () => {
  const reply = (text: string | Buffer) => tcp((socket) => void socket.once('data', () => socket.end(text)))
  const plain = () => tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  test.each<[string, string, () => Promise<string>]>([
    ['resets at once', 'reset', () => tcp((socket) => socket.resetAndDestroy())],
    ['resets after the request', 'reset', () => tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))],
    ['hangs up', 'reset', () => tcp((socket) => socket.end())],
    ['does not use HTTP', 'invalid_response', () => reply('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends garbage', 'invalid_response', () => reply(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
    [
      'sends headers that are too large',
      'invalid_response',
      () => reply(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`),
    ],
    ['does not use TLS', 'tls', async () => (await plain()).replace('http:', 'https:')],
    [
      'sends both Content-Length and Transfer-Encoding',
      'invalid_response',
      () => reply('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    ['does not exist', 'refused', async () => 'http://127.0.0.1:1/'],
    ['has an unknown name', 'dns', async () => 'http://nobody.invalid/'],
  ])('is reported by its reason when the receiver %s', async (_, reason, start) => {
    expect(await send(await start())).toEqual(failed(reason))
  })

  test('is accepted if only its text is not valid UTF-8', async () => {
    const url = await http((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(Buffer.from([0xff, 0xc0])),
    )
    expect(await send(url)).toEqual(answered(200, null, '\ufffd\ufffd'))
    expect((await send(await reply('HTTP/1.1 200 \xff\xfe\r\nContent-Length: 0\r\n\r\n'))).statusCode).toBe(200)
  })

  test('is accepted with two Retry-After headers, which are ignored', async () => {
    const url = await reply('HTTP/1.1 503 No\r\nRetry-After: 5\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n')
    expect(await send(url)).toEqual(answered(503))
  })
})
describe('the guard against private addresses', () => {
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
  ])('never connects to this machine as %s', async (host) => {
    const reached = receiver.received.length
    const { port } = new URL(receiver.origin)
    const outcome = await guarded.send(`http://${host}:${port}/`, HEADERS, BODY)
    expect(outcome.statusCode).toBeNull()
    expect(receiver.received).toHaveLength(reached)
  })

  test('refuses private addresses, credentials and other schemes', async () => {
    const refusal = failed('address_refused')
    for (const url of ['http://10.0.0.1/', 'https://user:pass@example.org/', 'file:///etc/passwd', 'no url']) {
      expect(await guarded.send(url, HEADERS, BODY)).toEqual(refusal)
    }
  })

  describe('checks the addresses that are connected to:', () => {
    /** Creates a sender for which every name has these addresses. */
    const createResolvingSender = (addresses: string[]): Sender =>
      createSender({ ...GUARDED, resolve: async () => addresses })
    test.each([
      ['this machine', ['127.0.0.1']],
      ['this machine in IPv6', ['::1']],
      ['this machine as an IPv4-mapped address', ['::ffff:127.0.0.1']],
      ['a private address among public ones', ['192.0.66.2', '127.0.0.1']],
      ['no address', []],
    ])('refuses a name that resolves to %s', async (_, addresses: string[]) => {
      const reached = receiver.received.length
      const resolving = createResolvingSender(addresses)
      const outcome = await resolving.send(`http://hook.example.org:${new URL(receiver.origin).port}/`, HEADERS, BODY)
      await resolving.close()
      expect(outcome).toEqual(failed('address_refused'))
      expect(receiver.received).toHaveLength(reached)
    })

    test('reports an unknown name by its reason and a silent name server as a timeout', async () => {
      const unknown = createSender({
        ...GUARDED,
        resolve: () => Promise.reject(Object.assign(new Error('x'), { syscall: 'queryA', code: 'ESERVFAIL' })),
      })
      expect(await unknown.send('http://hook.example.org/', HEADERS, BODY)).toEqual(failed('dns'))
      const silent = createSender({ ...GUARDED, attemptTimeoutMs: TIMEOUT_MS, resolve: () => new Promise(() => {}) })
      expect(await silent.send('http://hook.example.org/', HEADERS, BODY)).toEqual(TIMED_OUT)
      await Promise.all([unknown.close(), silent.close()])
    })
  })
})
