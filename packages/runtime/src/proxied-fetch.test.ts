import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createProxiedFetch, readProxySettings } from './proxied-fetch.ts'

let proxy: Server
let target: Server
let seen: string[]
const portOf = (server: Server): number => (server.address() as AddressInfo).port

beforeEach(async () => {
  seen = []
  target = createServer((_, response) => response.end('target'))
  // Every name leads to the target.
  proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end('proxy')
  })
  proxy.on('connect', ({ url }, socket) => {
    seen.push(`CONNECT ${url}`)
    const tunnel = connect(portOf(target), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    for (const each of [socket, tunnel]) each.on('error', () => undefined)
  })
  for (const server of [proxy, target]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  for (const server of [proxy, target]) {
    server.closeAllConnections()
    server.close()
  }
})

const open = (more: object = {}) => createProxiedFetch({ HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`, ...more })

test('requests go through the proxy', async () => {
  const response = await open()?.('http://model.example/v1/messages')
  expect(response?.status).toBe(200)
  await response?.text()
  expect(seen).toEqual([expect.stringContaining('model.example')])
})

test('HTTPS requests open a tunnel through the proxy for them', async () => {
  const send = createProxiedFetch({ HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` })
  // The target does not speak TLS.
  await expect(send?.('https://model.example/v1/messages')).rejects.toThrow('fetch failed')
  expect(seen).toEqual(['CONNECT model.example:443'])
})

test('HTTPS requests use no proxy that is meant for HTTP only', async () => {
  await expect(open()?.('https://model.invalid/v1/messages')).rejects.toThrow('fetch failed')
  expect(seen).toEqual([])
})

test.each(['127.0.0.1', 'localhost'])('requests to this machine, as %s, use no proxy', async (host) => {
  const response = await open()?.(`http://${host}:${portOf(target)}/`)
  expect([await response?.text(), seen]).toEqual(['target', []])
})

test('hosts in NO_PROXY and those below them use no proxy', async () => {
  const send = open({ NO_PROXY: 'internal.invalid, other.example' })
  await expect(send?.('http://model.internal.invalid/')).rejects.toThrow('fetch failed')
  expect(seen).toEqual([])
})

test.each([{}, { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' }])(
  'without a proxy, there is nothing to use: %j',
  (settings) => {
    expect(createProxiedFetch(settings)).toBeUndefined()
  },
)

test('names in lower case come first', () => {
  const env = { https_proxy: 'http://a', HTTPS_PROXY: 'http://b', HTTP_PROXY: 'http://c', NO_PROXY: 'd', no_proxy: '' }
  expect(readProxySettings(env)).toEqual({ HTTPS_PROXY: 'http://a', HTTP_PROXY: 'http://c', NO_PROXY: 'd' })
})
