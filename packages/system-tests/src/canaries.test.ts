import { randomBytes } from 'node:crypto'
import { API_PREFIX, SUMMARY_MODES } from '@subtext/contracts'
import { findRedisServer } from '@subtext/embedded'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { type Client, startTestSystem, type TestSystem, watchUrl } from '@subtext/testbed'
import { Redis } from 'ioredis'

/** Secrets by what they are. None may show up in a log, in Redis or in an error. */
const canaries = new Map<string, string>()
const canary = (kind: string): string => {
  const made = canaries.get(kind) ?? `canary${randomBytes(12).toString('hex')}`
  canaries.set(kind, made)
  return made
}

const testOnRealRedis = findRedisServer() ? test : test.skip
const hasRedis = testOnRealRedis === test

let system: TestSystem
let client: Client
/** Every response whose status is not 2xx, as the caller saw it. */
const refusals: string[] = []

beforeAll(async () => {
  if (!hasRedis) return
  system = await startTestSystem({
    ownRedis: true,
    ownPostgres: true,
    messagesApi: true,
    settings: {
      LOG_LEVEL: 'debug',
      ANTHROPIC_API_KEY: canary('key of the model'),
      PROXY_URLS: `http://user:${canary('password of the proxy')}@127.0.0.1:9`,
    },
  })
  client = await system.createClient({ scopes: ['admin'] })
  canaries.set('API key', client.key.slice('sk_'.length))
  canaries.set('webhook secret', (await system.rotateWebhookSecret(client)).slice('whsec_'.length))
})
afterAll(() => system?.close())

async function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<void> {
  const response = await fetch(`${system.baseUrl}${path}`, {
    method,
    headers,
    body,
    // Only a request that hangs takes as long.
    signal: AbortSignal.timeout(240_000),
  })
  const text = await response.text()
  if (!response.ok) refusals.push(`${method} ${path} ${JSON.stringify([...response.headers])} ${text}`)
}

const bodyWithSecrets = () => ({
  url: watchUrl(SAMPLE_TALKS.english.id),
  options: { summary_modes: SUMMARY_MODES },
  custom_instructions: `Think of ${canary('instructions')}.`,
  webhook_url: `${system.receiver.origin}/hook?token=${canary('token of the receiver')}`,
})

interface Operation {
  method: string
  path: string
}

async function listOperations(): Promise<Operation[]> {
  const document = (await (await fetch(`${system.baseUrl}${API_PREFIX}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path: `${API_PREFIX}${path}` })),
  )
}

/** Sends requests with secrets in every place where a caller may put one, rightly or by mistake. */
async function sendSecrets({ method, path }: Operation): Promise<void> {
  const target = path.replaceAll(/\{\w+\}/g, canary('path'))
  const json = { 'Content-Type': 'application/json' }
  const right = { ...json, Authorization: `Bearer ${client.key}` }
  const withBody = (body: unknown) => (method === 'POST' ? JSON.stringify(body) : undefined)
  await send(method, target, { ...json, Authorization: `Bearer sk_${canary('malformed key')}` })
  await send(method, target, { ...json, 'X-API-Key': `sk_${randomHex('unknown key')}` })
  await send(method, target, { ...json, Authorization: `Basic ${btoa(`user:${canary('password')}`)}` })
  await send(method, `${target}?api_key=${canary('key in the query')}`, right, withBody({}))
  await send(
    method,
    target,
    { ...right, Cookie: `session=${canary('cookie')}` },
    withBody({ url: canary('wrong url') }),
  )
  const credentials = `https://user:${canary('password of the receiver')}@example.org/`
  await send(method, target, right, withBody({ ...bodyWithSecrets(), webhook_url: credentials }))
  await send(method, target, right, withBody({ ...bodyWithSecrets(), priority: canary('wrong value') }))
  if (method === 'POST') await send(method, target, right, `{"url": ${canary('no JSON')}`)
}

/** A key of the right form. */
function randomHex(kind: string): string {
  if (!canaries.has(kind)) canaries.set(kind, randomBytes(32).toString('hex'))
  return canaries.get(kind) as string
}

testOnRealRedis('no secret appears in a log, in Redis or in an error (needs redis-server)', async () => {
  const operations = await listOperations()
  expect(operations.length).toBeGreaterThan(2)
  for (const operation of [...operations, { method: 'POST', path: `${API_PREFIX}/nowhere` }])
    await sendSecrets(operation)

  // Jobs whose model, receiver and video fail in turn.
  system.receiver.reply((_webhook, nth) => (nth === 1 ? { instead: 'reset' } : { status: nth === 2 ? 500 : 204 }))
  system.messagesApi.failNext({ status: 500 })
  system.messagesApi.failNext({ kind: 'answer', text: `{"overview": "${canary('malformed answer')}` })
  const good = await client.submit(bodyWithSecrets())
  await client.follow(good)
  await system.receiver.waitFor(({ headers }) => headers['x-webhook-attempt'] === '3')
  const failed = await client.submit({ ...bodyWithSecrets(), url: watchUrl(SAMPLE_VIDEOS.private.id) })
  await client.follow(failed)
  await client.follow(await client.submit({ ...bodyWithSecrets(), use_proxy: true, force_refresh: true }))

  let keysAndValues = await readRedis()
  await untilLogged('the loss of Redis', /"redis connection".*"lost"/, async () => {
    await system.redis.crash()
    await client.trySubmit(bodyWithSecrets())
  })
  await untilLogged('the return of Redis', /"redis connection".*"restored"/, () => system.redis.start())
  await client.follow(await client.submit(bodyWithSecrets()))
  keysAndValues += await readRedis()
  await untilLogged('the loss of Postgres', /ECONNREFUSED|terminat/, async () => {
    await system.postgres.crash()
    refusals.push(JSON.stringify(await client.trySubmit(bodyWithSecrets())))
  })
  await system.postgres.start()
  await waitUntil('the API serves again', async () => (await fetch(`${system.baseUrl}/health/ready`)).ok)

  const logs = await system.readLogs()
  // The texts that are searched contain what they should.
  expect(logs).toContain(good)
  expect(logs).toMatch(/"level":"error"/)
  expect(keysAndValues.length).toBeGreaterThan(0)
  expect(refusals.length).toBeGreaterThan(operations.length * 5)
  expect(canaries.size).toBeGreaterThan(12)
  for (const [kind, secret] of canaries) {
    const find = (text: string): string | null => {
      const at = text.indexOf(secret)
      return at < 0 ? null : text.slice(Math.max(0, at - 200), at + 100)
    }
    expect([kind, 'in a log', find(logs)]).toEqual([kind, 'in a log', null])
    expect([kind, 'in Redis', find(keysAndValues)]).toEqual([kind, 'in Redis', null])
    // The path of the request line is the caller's own.
    const shown = refusals.map((refusal) => find(refusal.slice(refusal.indexOf('['))))
    expect([kind, 'in an error', shown.filter((text) => text !== null)]).toEqual([kind, 'in an error', []])
  }
})

/** Waits until each app has written a log line about what `cause` brings about. */
async function untilLogged(what: string, line: RegExp, cause: () => Promise<void>): Promise<void> {
  const before = (await system.readLogs()).length
  await cause()
  await waitUntil(`each app has logged ${what}`, async () => {
    const lines = (await system.readLogs()).slice(before).split('\n')
    const services = lines.filter((text) => line.test(text)).map((text) => JSON.parse(text).service)
    return new Set(services).size === 3
  })
}

/** Returns the names and contents of all keys. */
async function readRedis(): Promise<string> {
  const redis = new Redis(system.redis.url)
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  }
  try {
    const texts: string[] = []
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key)
      // It may have expired since it was listed.
      if (type !== 'none') texts.push(key, JSON.stringify(await read[type]?.(key)))
    }
    return texts.join('\n')
  } finally {
    redis.disconnect()
  }
}
