import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTokenCheck, isAccessToken } from './check-token.ts'

let server: Server
let base: string
let reply: { status: number; body: object }
let asked: string[]
beforeEach(async () => {
  asked = []
  reply = { status: 200, body: { active: true } }
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push(body)
    response.writeHead(reply.status).end(JSON.stringify(reply.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const TOKEN = `at_${'a'.repeat(64)}`

test('asks an API that is not at the root', async () => {
  const paths: (string | undefined)[] = []
  server.on('request', ({ url }) => paths.push(url))
  await createTokenCheck(`${base}/subtext`)(TOKEN)
  expect(paths).toEqual(['/subtext/auth/oauth/introspect'])
})

test('asks the API once in half a second, however many requests use the token', async () => {
  let now = 0
  const isActive = createTokenCheck(base, () => now)
  expect(await Promise.all([isActive(TOKEN), isActive(TOKEN)])).toEqual([true, true])
  now = 499
  expect(await isActive(TOKEN)).toBe(true)
  expect(asked).toEqual([`token=${TOKEN}`])
  reply.body = { active: false }
  now = 500
  expect(await isActive(TOKEN)).toBe(false)
  expect(asked).toHaveLength(2)
})

test.each([
  [200, { active: false }, false],
  [200, {}, false],
  // The API itself checks the token with the call that follows.
  [503, {}, true],
  [404, {}, true],
])('a response of %d with %j means %j', async (status, body, expected) => {
  reply = { status, body }
  expect(await createTokenCheck(base)(TOKEN)).toBe(expected)
})

test('an API that is away refuses nobody here', async () => {
  server.close()
  server.closeAllConnections()
  expect(await createTokenCheck(base)(TOKEN)).toBe(true)
})

test('forgets tokens, so that made-up ones fill no memory', async () => {
  let now = 0
  const isActive = createTokenCheck(base, () => now)
  for (let at = 0; at < 20; at++) {
    await isActive(`at_${String(at).padStart(64, '0')}`)
    now += 1_000
  }
  await isActive(TOKEN)
  await isActive(TOKEN)
  expect(asked).toHaveLength(21)
})

test.each([
  [TOKEN, true],
  [`sk_${'a'.repeat(64)}`, false],
  [`${TOKEN}a`, false],
  [TOKEN.toUpperCase(), false],
])('%s is an access token: %j', (text, expected) => {
  expect(isAccessToken(text)).toBe(expected)
})
