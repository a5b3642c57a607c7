import { once } from 'node:events'
import { Agent, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { createHttpServer } from './http-server.ts'
import { MAX_UNANSWERED_REQUESTS } from './limit-pipelining.ts'

let server: Server
const sockets: Socket[] = []
const serve = async (handle: RequestListener): Promise<void> => {
  server = createHttpServer(handle)
  await once(server.listen(0, '127.0.0.1'), 'listening')
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  server.closeAllConnections()
})

const portOf = (): number => (server.address() as AddressInfo).port

function open(): { socket: Socket; received: () => string } {
  const socket = connect(portOf(), '127.0.0.1').setEncoding('utf8')
  sockets.push(socket)
  let received = ''
  socket
    .on('error', () => {})
    .on('data', (text: string) => {
      received += text
    })
  return { socket, received: () => received }
}

const pipelined = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
const answersIn = (text: string): number => text.split('HTTP/1.1 200').length - 1

test('starts no more than a few pipelined requests of a connection, and answers all of them in order', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  await serve((request, response) => {
    waiting.push(() => response.end(`<${request.url}>`))
    most = Math.max(most, waiting.length)
  })
  const { socket, received } = open()
  socket.write(pipelined(400))
  for (let answered = 0; answered < 400; ) {
    await waitUntil('a request is waiting', () => waiting.length > 0)
    await sleep(0)
    expect(waiting.length).toBeLessThanOrEqual(MAX_UNANSWERED_REQUESTS)
    for (const answer of waiting.splice(0)) {
      answer()
      answered++
    }
  }
  await waitUntil('all responses arrive', () => answersIn(received()) === 400)
  expect(most).toBe(MAX_UNANSWERED_REQUESTS)
  expect([...received().matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n))).toEqual([...Array(400).keys()])
})

test('stops reading from the network meanwhile', async () => {
  await serve(() => {})
  const { socket } = open()
  socket.write(pipelined(10))
  const filler = pipelined(20_000)
  for (let sent = 0; sent < 20; sent++) socket.write(filler)
  await sleep(500)
  // Twenty times 700 kB do not fit into the buffers of the operating system.
  expect(socket.writableLength).toBeGreaterThan(1_000_000)
})

test('reads the body of the last request it has started, in pieces that look like requests', async () => {
  const bodies: string[] = []
  await serve(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    bodies.push(body)
    response.end()
  })
  const { socket, received } = open()
  const body = 'GET / HTTP/1.1\r\n\r\n'.repeat(1_000)
  const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  socket.write(pipelined(MAX_UNANSWERED_REQUESTS - 1) + post + post + pipelined(2))
  await waitUntil('all responses arrive', () => answersIn(received()) === MAX_UNANSWERED_REQUESTS + 3)
  expect(bodies.filter((each) => each !== '')).toEqual([body, body])
})

test('lets no further requests past the limit behind the bodies of others', async () => {
  let started = 0
  await serve(() => void started++)
  // Each block is read as a piece of a body, and ends with a request whose own body begins the next block.
  const block = `x${'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(38)}POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n`
  open().socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n${block.repeat(30)}`)
  await waitUntil('requests start', () => started > 0)
  await sleep(200)
  expect(started).toBeLessThan(50)
})

test('counts requests with an unknown expectation, too', async () => {
  let started = 0
  await serve(() => void started++)
  open().socket.write('GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'.repeat(50))
  await waitUntil('requests start', () => started === MAX_UNANSWERED_REQUESTS)
  await sleep(200)
  expect(started).toBe(MAX_UNANSWERED_REQUESTS)
})

test('tells every unanswered response that its caller has left', async () => {
  let started = 0
  let closed = 0
  await serve((_request, response) => {
    started++
    response.once('close', () => void closed++)
  })
  const { socket } = open()
  socket.write(pipelined(50))
  await waitUntil('requests start', () => started === MAX_UNANSWERED_REQUESTS)
  socket.destroy()
  await waitUntil('the responses end', () => closed === MAX_UNANSWERED_REQUESTS)
  await sleep(200)
  expect(started).toBe(MAX_UNANSWERED_REQUESTS)
})

test('serves large uploads on a kept connection one after the other', async () => {
  await serve(async (request, response) => {
    let size = 0
    for await (const piece of request) size += (piece as Buffer).length
    response.end(String(size))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const lines = '1\r\n00:00:01,000 --> 00:00:02,000\r\nA line.\r\n\r\n'.repeat(100_000)
  for (let turn = 0; turn < 2; turn++) {
    const request = httpRequest({ port: portOf(), host: '127.0.0.1', method: 'POST', agent })
    request.end(lines)
    const [response] = await once(request, 'response')
    let text = ''
    for await (const piece of response) text += piece
    expect(text).toBe(String(lines.length))
  }
  agent.destroy()
})

test('serves a new caller before the third request of each connection that pipelines', async () => {
  const CONNECTIONS = 50
  const started: string[] = []
  await serve((request) => {
    started.push(request.url ?? '')
    for (const end = performance.now() + 2; performance.now() < end; );
  })
  const flood = Array.from({ length: CONNECTIONS }, () => open().socket)
  const other = open().socket
  await Promise.all([...flood, other].map((socket) => once(socket, 'connect')))
  for (const socket of flood) socket.write(pipelined(100))
  other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n')
  await waitUntil('the other caller is served', () => started.includes('/other'))
  expect(started.indexOf('/other')).toBeLessThan(3 * CONNECTIONS)
})

test('serves others while sixty connections pipeline four hundred requests each', async () => {
  const work = (): void => {
    const end = performance.now() + 1
    while (performance.now() < end);
  }
  let unanswered = 0
  let most = 0
  await serve((_request, response) => {
    most = Math.max(most, ++unanswered)
    response.once('close', () => void unanswered--)
    work()
    response.end('done')
  })
  const flood = Array.from({ length: 60 }, () => open())
  await Promise.all(flood.map(({ socket }) => once(socket, 'connect')))
  for (const { socket } of flood) socket.write(pipelined(400))
  const answered = (): number => flood.reduce((sum, { received }) => sum + answersIn(received()), 0)
  await waitUntil('the flood begins', () => answered() > 0)
  for (let checks = 0; checks < 5; checks++) {
    const before = answered()
    const { socket, received } = open()
    socket.write(pipelined(1))
    await waitUntil('the response arrives', () => answersIn(received()) === 1)
    expect(answered() - before).toBeLessThan(2_000)
  }
  expect(most).toBeLessThanOrEqual(61 * MAX_UNANSWERED_REQUESTS)
  for (const { socket } of flood) socket.destroy()
  await waitUntil('the requests of callers that have left end', () => unanswered === 0)
})
