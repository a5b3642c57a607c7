import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedServer, StartOptions } from './embedded-server.ts'
import { startPostgres } from './postgres.ts'
import { query } from './testing/query.ts'

let root: string
const servers: EmbeddedServer[] = []

async function start(name: string, options: Partial<StartOptions> = {}): Promise<EmbeddedServer> {
  const server = await startPostgres({ dataDir: join(root, name), durable: false, ...options })
  servers.push(server)
  return server
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'subtext postgres-'))
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})
afterAll(() => rmSync(root, { recursive: true }))

describe('startPostgres', () => {
  test('creates a cluster once, finds its data at the second start, and works in a path with a space', async () => {
    let creations = 0
    // On a busy machine, it also says that it waits for the server.
    const onProgress = (text: string) => {
      if (text.includes('creating')) creations++
    }
    const first = await start('data', { onProgress })
    expect(creations).toBe(1)
    await query(first.url, `create table kept as select 'still here' as word`)
    await first.stop()
    await first.stop()
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

    const second = await start('data', { onProgress })
    expect(creations).toBe(1)
    expect(await query(second.url, 'table kept')).toEqual([{ word: 'still here' }])
  })

  test('does not sync to disk unless it is durable', async () => {
    const { url } = await start('data')
    const names = `'fsync','synchronous_commit','full_page_writes','listen_addresses','max_connections',
      'unix_socket_directories','server_encoding','lc_messages','TimeZone'`
    const rows = await query(url, `select name, setting from pg_settings where name in (${names})`)
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'off',
      synchronous_commit: 'on',
      full_page_writes: 'off',
      listen_addresses: '127.0.0.1',
      max_connections: '200',
      unix_socket_directories: '',
      server_encoding: 'UTF8',
      lc_messages: 'C',
      TimeZone: 'UTC',
    })
    const [database] = await query(url, `select datcollate, version() from pg_database where datname = 'postgres'`)
    expect(database).toEqual({ datcollate: 'C', version: expect.stringMatching(/^PostgreSQL 18\./) })
  })

  test('syncs to disk if it is durable', async () => {
    const { url } = await start('data', { durable: true })
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
    expect(await query(url, 'show full_page_writes')).toEqual([{ full_page_writes: 'on' }])
  })

  test('refuses a wrong password, and only the owner can read the right one', async () => {
    const { url } = await start('data')
    const wrong = new URL(url)
    wrong.password = 'guess'
    // 28P01: invalid_password
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect(statSync(join(root, 'data', 'password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, 'data')).mode & 0o777).toBe(0o700)
  })

  test('runs two servers side by side, each with its own data', async () => {
    const [one, other] = await Promise.all([start('data'), start('other')])
    expect(one.url).not.toBe(other.url)
    expect(await query(one.url, `select to_regclass('kept') is not null as has`)).toEqual([{ has: true }])
    expect(await query(other.url, `select to_regclass('kept') is not null as has`)).toEqual([{ has: false }])
  })

  test('refuses a directory that is in use', async () => {
    await start('data')
    await expect(start('data')).rejects.toThrow(`in use by another running instance (pid ${process.pid})`)
  })

  test('keeps what it has acknowledged when it is killed and restarted on the same port', async () => {
    const first = await start('data')
    await query(first.url, `create table before_kill as select 1 as number`)
    first.kill('SIGKILL')
    await first.exited
    const second = await start('data', { port: Number(new URL(first.url).port) })
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'table before_kill')).toEqual([{ number: 1 }])
  })

  test('stops a server that does not react', async () => {
    const server = await start('data')
    server.kill('SIGSTOP')
    await server.stop()
  })

  test('removes an incomplete cluster and creates a new one', async () => {
    const unfinished = join(root, 'halted', 'unfinished-abc')
    mkdirSync(join(unfinished, 'cluster'), { recursive: true })
    writeFileSync(join(unfinished, 'cluster', 'PG_VERSION'), '18\n')
    const { url } = await start('halted')
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(join(root, 'halted'))).not.toContain('unfinished-abc')
  })

  test('quotes the log if the server cannot start, and releases the directory', async () => {
    const holder = await start('data')
    const port = Number(new URL(holder.url).port)
    await expect(start('other', { port })).rejects.toThrow(/Postgres did not start[\s\S]*could not bind/)
    await expect(start('other')).resolves.toMatchObject({ url: expect.any(String) })
  })
})

test.each<[string, string, string | undefined, string]>([
  ['of an older PostgreSQL', '17', '17', 'was written by PostgreSQL 17'],
  ['without its version', '17', undefined, 'contains no complete PostgreSQL database'],
])('says how to go on with data %s, and leaves it as it is', async (_, __, version, problem) => {
  const dataDir = join(root, `old-${version}`)
  mkdirSync(join(dataDir, 'cluster'), { recursive: true })
  writeFileSync(join(dataDir, 'password'), 'a'.repeat(43))
  if (version) writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), `${version}\n`)
  const refusal = startPostgres({ dataDir, durable: false })
  await expect(refusal).rejects.toMatchObject({ name: 'UnusableDataError', message: expect.stringContaining(problem) })
  await expect(refusal).rejects.toThrow(/backup/)
  expect(readdirSync(join(dataDir, 'cluster'))).toEqual(version ? ['PG_VERSION'] : [])
})
