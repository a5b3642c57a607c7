import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMetadataFetcher, lookUpPublic } from './client-metadata.ts'
import { allowsRedirect, findClient } from './clients.ts'

let server: Server
let origin: string
let reply: RequestListener
let requests: number
beforeEach(async () => {
  requests = 0
  server = createServer((request, response) => {
    requests++
    reply(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const send =
  (document: unknown, { type = 'application/json', status = 200 } = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(document))

const find = (url: string) =>
  findClient(
    { db: {} as never, clock: () => new Date(), fetchMetadata: createMetadataFetcher({ allowPrivate: true }) },
    url,
  )

test('a client describes itself in a document, which is fetched once for a while', async () => {
  const url = `${origin}/client.json`
  reply = send({ client_id: url, client_name: 'Claude', redirect_uris: ['https://claude.example/cb'] })
  const ctx = { db: {} as never, clock: () => new Date(), fetchMetadata: createMetadataFetcher({ allowPrivate: true }) }
  for (let at = 0; at < 3; at++) {
    const client = await findClient(ctx, url)
    expect(client).toEqual({ id: url, name: 'Claude', redirectUris: ['https://claude.example/cb'] })
    expect(allowsRedirect(client, 'https://claude.example/cb')).toBe(true)
    expect(allowsRedirect(client, 'https://claude.example/other')).toBe(false)
  }
  expect(requests).toBe(1)
})

test.each([
  ['of another client', (url: string) => send({ client_id: `${url}2`, redirect_uris: ['https://a.example/'] })],
  ['without an ID', () => send({ redirect_uris: ['https://a.example/'] })],
  [
    'with a secret',
    (url: string) =>
      send({ client_id: url, token_endpoint_auth_method: 'client_secret_post', redirect_uris: ['https://a.example/'] }),
  ],
  ['that is a list', () => send([])],
  [
    'of another media type',
    (url: string) => send({ client_id: url, redirect_uris: ['https://a.example/'] }, { type: 'text/html' }),
  ],
  [
    'that is an error',
    (url: string) => send({ client_id: url, redirect_uris: ['https://a.example/'] }, { status: 500 }),
  ],
  [
    'that is too large',
    (url: string) => send({ client_id: url, redirect_uris: ['https://a.example/'], x: 'x'.repeat(20_000) }),
  ],
  [
    'with a hostile redirect address',
    (url: string) => send({ client_id: url, redirect_uris: ['javascript:alert(1)'] }),
  ],
])('refuses a document %s', async (_, build) => {
  const url = `${origin}/client.json`
  reply = build(url)
  await expect(find(url)).rejects.toMatchObject({ name: 'OAuthError' })
})

test('follows no redirect', async () => {
  reply = (_, response) => void response.writeHead(302, { Location: `${origin}/inside` }).end()
  await expect(find(`${origin}/client.json`)).rejects.toMatchObject({ code: 'invalid_client' })
  expect(requests).toBe(1)
})

test.each([
  'http://127.0.0.1/client.json',
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://[::ffff:10.0.0.1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://2130706433/client.json',
  'https://0x7f.1/client.json',
  'https://localhost/client.json',
  'https://metadata.google.internal/computeMetadata',
  'https://user:pw@example.org/client.json',
  'https://example.org:6379/client.json',
  'https://example.org/',
  'https://example.org',
  'https://example.org/client.json#x',
  'https://example.org/a/../client.json',
  'http://example.org/client.json',
])('requests nothing for %s', async (url) => {
  const fetchMetadata = createMetadataFetcher({ allowPrivate: false })
  await expect(fetchMetadata(url)).rejects.toMatchObject({ code: 'invalid_client' })
})

test('connects to no private address behind a name, which is checked when it is connected to', async () => {
  const found = await new Promise<[Error | null, unknown]>((resolve) =>
    lookUpPublic('localhost', {}, (error, address) => resolve([error, address])),
  )
  expect(found).toEqual([expect.objectContaining({ message: 'the address is private' }), ''])
})

test('reaches nothing in private networks, whatever listens there', async () => {
  reply = send({})
  const { port } = server.address() as AddressInfo
  const fetchMetadata = createMetadataFetcher({ allowPrivate: false })
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '127.1']) {
    for (const scheme of ['http', 'https']) {
      await expect(fetchMetadata(`${scheme}://${host}:${port}/client.json`)).rejects.toMatchObject({
        code: 'invalid_client',
      })
    }
  }
  expect(requests).toBe(0)
})
