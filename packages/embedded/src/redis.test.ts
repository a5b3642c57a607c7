import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type EmbeddedRedis, findRedisServer, type RedisOptions, startRedis } from './redis.ts'

let root: string
const servers: EmbeddedRedis[] = []
const clients: Redis[] = []

async function start(name: string, options: Partial<RedisOptions> = {}): Promise<EmbeddedRedis> {
  const server = await startRedis({ dataDir: join(root, name), durable: false, ...options })
  servers.push(server)
  return server
}

function connect(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 })
  client.on('error', () => {})
  clients.push(client)
  return client
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'subtext redis-'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect()
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})
afterAll(() => rmSync(root, { recursive: true }))

describe.each(['javascript', 'native'] as const)('startRedis, implementation %s', (implementation) => {
  const missing = implementation === 'native' && findRedisServer() === undefined
  const testIt = missing ? test.skip : test
  const suffix = missing ? ' (skipped: no redis-server or valkey-server on the PATH)' : ''

  testIt(`serves commands and scripts, but only with the password${suffix}`, async () => {
    const server = await start(implementation, { implementation })
    expect(server.kind === 'js-redis-server').toBe(implementation === 'javascript')
    const client = connect(server.url)
    expect(await client.set('key', 'value')).toBe('OK')
    expect(await client.eval(`return redis.call('get', KEYS[1]) .. '!'`, 1, 'key')).toBe('value!')
    const withoutPassword = connect(`redis://127.0.0.1:${new URL(server.url).port}`)
    await expect(withoutPassword.get('key')).rejects.toThrow('NOAUTH')
    expect(statSync(join(root, implementation, 'password')).mode & 0o777).toBe(0o600)
  })

  testIt(`listens on the loopback address only${suffix}`, async () => {
    const { url } = await start(implementation, { implementation })
    const elsewhere = new URL(url)
    elsewhere.hostname = '[::1]'
    await expect(connect(elsewhere.href).ping()).rejects.toThrow('Connection is closed')
    expect(await connect(url).ping()).toBe('PONG')
  })

  testIt(`stops while clients are connected, and starts again on the same port${suffix}`, async () => {
    const first = await start(implementation, { implementation })
    await connect(first.url).ping()
    await first.stop()
    const second = await start(implementation, { implementation, port: Number(new URL(first.url).port) })
    expect(second.url).toBe(first.url)
    expect(await connect(second.url).ping()).toBe('PONG')
  })

  testIt(`fails if its port is taken, and refuses a directory that is in use${suffix}`, async () => {
    const { url } = await start(implementation, { implementation })
    const port = Number(new URL(url).port)
    await expect(start(`${implementation} 2`, { implementation, port })).rejects.toThrow('Redis did not start')
    await expect(start(implementation, { implementation })).rejects.toThrow('in use by another running instance')
  })
})

const native = findRedisServer() ? test : test.skip

native('a durable native Redis keeps its data when it is killed (skipped without one on the PATH)', async () => {
  const first = await start('durable', { durable: true, implementation: 'native' })
  const client = connect(first.url)
  expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'yes'])
  expect(await client.config('GET', 'appendfsync')).toEqual(['appendfsync', 'everysec'])
  expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
  await client.set('key', 'kept')
  first.kill('SIGKILL')
  await first.exited
  const second = await start('durable', { durable: true, implementation: 'auto' })
  expect(await connect(second.url).get('key')).toBe('kept')
  await second.stop()
  const third = await start('durable', { durable: false, implementation: 'native' })
  expect(await connect(third.url).config('GET', 'appendonly')).toEqual(['appendonly', 'no'])
})

native('the password of a native Redis is not on its command line (skipped without one on the PATH)', async () => {
  const { url, pid } = await start('native', { implementation: 'native' })
  if (process.platform !== 'linux') return
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(new URL(url).password)
})
