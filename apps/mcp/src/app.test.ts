import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { waitUntil } from '@subtext/embedded/testing'
import { createHealth, createMetrics } from '@subtext/runtime'
import { createApp } from './app.ts'
import { createMcpMetrics } from './metrics.ts'
import { createErrorLog } from './request-errors.ts'

let server: Server
let url: URL
let lines: { level: string; message: string; fields: Record<string, unknown> }[]

beforeEach(() => start('http://127.0.0.1:9'))
afterEach(stop)

/** Starts the server for an API at another address. */
async function restart(apiBase: string): Promise<void> {
  stop()
  await start(apiBase)
}

function stop(): void {
  server.closeAllConnections()
  server.close()
}

async function start(apiBase: string): Promise<void> {
  lines = []
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, message, fields })
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const draining = new AbortController().signal
  const app = createApp(
    {
      SERVICE_API_BASE: apiBase,
      MCP_PORT: 3001,
      MCP_PUBLIC_URL: undefined,
      MCP_ALLOWED_ORIGINS: [],
      PUBLIC_BASE_URL: undefined,
      DASHBOARD_ENABLED: false,
      TRUST_PROXY_HOPS: 1,
      RATE_LIMIT_ADDRESS: 20,
    },
    {
      log,
      health: createHealth({ log, required: {}, draining }),
      metrics: createMcpMetrics(createMetrics()),
      draining,
    },
  )
  server = createServer(app.handle)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
}

const KEY = `sk_${'0a'.repeat(32)}`
const HEADERS = {
  Authorization: `Bearer ${KEY}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}
const MODERN = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }

describe('a mistake of a client', () => {
  test.each([
    ['a body that is not JSON', 400, '{"jsonrpc":', {}],
    ['a body that is not a message', 400, '{}', {}],
    ['an empty body', 400, '', {}],
    ['a batch with nothing in it', 400, '[]', {}],
    ['a body of 300 kB', 413, `"${'x'.repeat(300_000)}"`, {}],
    ['another media type', 415, 'x', { 'Content-Type': 'text/plain' }],
    ['a media type that it cannot take', 406, '{"jsonrpc":"2.0","id":1,"method":"ping"}', { Accept: 'text/html' }],
    ['a header that does not match the body', 400, '{"jsonrpc":"2.0","id":1,"method":"ping"}', MODERN],
    [
      'an unknown version',
      400,
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { 'MCP-Protocol-Version': 'x'.repeat(5_000) },
    ],
  ] as [string, number, string, object][])(
    'is answered and not logged as a failure: %s',
    async (_, status, body, headers) => {
      const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body })
      expect([response.status, await response.json()]).toEqual([
        status,
        expect.objectContaining({ error: expect.anything() }),
      ])
      for (const { level, message, fields } of lines) {
        expect([level, message, fields]).toEqual(['info', 'request refused', { status, reason: expect.any(String) }])
        expect(String(fields.reason).length).toBeLessThanOrEqual(300)
      }
      expect(lines.length).toBeLessThanOrEqual(1)
    },
  )

  test('is logged in one line if it is a connection that ends before the body', async () => {
    const socket = connect(Number(url.port), '127.0.0.1')
    const head = Object.entries({ ...HEADERS, Host: url.host, 'Content-Length': '100' })
    socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"a`)
    await once(server, 'request')
    socket.destroy()
    await waitUntil('the end of the request is logged', async () => lines.length > 0)
    expect(lines).toEqual([{ level: 'info', message: 'client disconnected', fields: { reason: expect.any(String) } }])
  })
})

test.each<[string, Record<string, string>]>([
  ['no key', {}],
  ['two keys that differ', { Authorization: `Bearer ${KEY}`, 'X-API-Key': `sk_${'0b'.repeat(32)}` }],
  ['another scheme beside a key', { Authorization: 'Basic abc', 'X-API-Key': KEY }],
  ['an access token in the header for keys', { 'X-API-Key': `at_${'0a'.repeat(32)}` }],
  ['an empty key', { 'X-API-Key': '' }],
  ['two words', { 'X-API-Key': 'sk_two words' }],
  ['a character that no key has', { 'X-API-Key': 'sk_ä' }],
  ['a part of a key', { Authorization: 'Bearer sk_x' }],
  ['a token of another service', { Authorization: 'Bearer ghp_abc' }],
])('refuses %s, as the API does', async (_, credentials) => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  expect((await fetch(url, { method: 'POST', headers: HEADERS, body })).status).toBe(200)
  const { Authorization: __, ...others } = HEADERS
  const response = await fetch(url, { method: 'POST', headers: { ...others, ...credentials }, body })
  expect(response.status).toBe(401)
  expect(response.headers.get('WWW-Authenticate')).toMatch(
    /^Bearer (?:error="invalid_token", )?resource_metadata="http/,
  )
  expect(await response.json()).toEqual({ error: expect.stringMatching(/Authorization|access token/) })
})

test.each(['/health/live', '/health/ready', '/.well-known/oauth-protected-resource', '/mcp/server-card'])(
  'answers GET and HEAD only: %s',
  async (path) => {
    const address = new URL(path, url)
    expect((await fetch(address)).status).toBe(200)
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(200)
    const refused = await fetch(address, { method: 'POST' })
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    expect(await refused.json()).toEqual({ error: 'Use GET or HEAD.' })
  },
)

test('a web page of an allowed origin can call it, and others cannot', async () => {
  const origin = 'http://localhost:6274'
  const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
  const allowed = await fetch(url, { method: 'OPTIONS', headers: { Origin: origin, ...preflight } })
  expect([allowed.status, allowed.headers.get('Access-Control-Allow-Origin')]).toEqual([204, origin])
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*MCP-Protocol-Version/)
  const refused = await fetch(url, { method: 'POST', headers: { Origin: origin } })
  expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([401, origin])
  expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate')
  const foreign = await fetch(url, { method: 'OPTIONS', headers: { Origin: 'https://example.org', ...preflight } })
  expect([foreign.status, foreign.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
  const metadata = new URL('/.well-known/oauth-protected-resource', url)
  const readable = await fetch(metadata, {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.org', ...preflight },
  })
  expect([readable.status, readable.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*'])
})

test('a failure of our own is logged as an error', async () => {
  const failing = createErrorLog({
    info: () => undefined,
    warn: (message, fields = {}) => void lines.push({ level: 'warn', message, fields }),
  })
  const error = new Error('The tools are gone.')
  const [request, response] = [{ complete: true }, { statusCode: 500 }] as [IncomingMessage, ServerResponse]
  await failing.watch(request, response, async () => failing.add(error))
  expect(lines).toEqual([{ level: 'warn', message: 'request failed', fields: { error } }])
})

describe('with an API that knows no key', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  let api: Server
  let valid: string
  beforeEach(async () => {
    valid = ''
    api = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      response.end(JSON.stringify({ active: new URLSearchParams(body).get('token') === valid }))
    })
    await once(api.listen(0, '127.0.0.1'), 'listening')
    await restart(`http://127.0.0.1:${(api.address() as AddressInfo).port}`)
  })
  afterEach(() => {
    api.closeAllConnections()
    api.close()
  })
  const send = (token: string, client: string, body = PING) =>
    fetch(url, {
      method: 'POST',
      headers: { ...HEADERS, Authorization: `Bearer ${token}`, 'X-Forwarded-For': client },
      body,
    })

  test.each([KEY, `at_${'0a'.repeat(32)}`])(
    'refuses %s on every request, which tells clients to sign in',
    async (token) => {
      for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) {
        const response = await send(token, '192.0.2.1', JSON.stringify({ jsonrpc: '2.0', id: 1, method }))
        expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([
          401,
          expect.stringMatching(/^Bearer error="invalid_token", resource_metadata="http/),
        ])
      }
    },
  )

  test('counts failures to the address of the client, and refuses no valid key for them', async () => {
    valid = `sk_${'0c'.repeat(32)}`
    for (let sent = 0; sent < 20; sent++) expect((await send('x', '192.0.2.1')).status).toBe(401)
    const refused = await send('x', '192.0.2.1')
    expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([429, 3_600])
    expect((await send('x', '192.0.2.2')).status).toBe(401)
    expect((await send(valid, '192.0.2.1')).status).toBe(200)
    const withoutKey = await fetch(url, { method: 'POST', headers: { 'X-Forwarded-For': '192.0.2.1' }, body: PING })
    expect(withoutKey.status).toBe(401)
  })
})

test.each(['*/*', ''])('answers clients that accept anything: %j', async (Accept) => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const { status } = await fetch(url, { method: 'POST', headers: { ...HEADERS, Accept }, body })
  expect(status).toBe(200)
})

test('answers at its address with a slash at the end', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  expect((await fetch(`${url}/`, { method: 'POST', headers: HEADERS, body })).status).toBe(200)
})
