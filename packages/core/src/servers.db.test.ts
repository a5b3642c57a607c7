import { createServer, type Socket } from 'node:net'
import { basename } from 'node:path'
import { useTestDatabase } from '@subtext/db/testing'
import { findRedisServer } from '@subtext/embedded'
import { findSteadyPort, startTool, waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { checkServers, findUnreachableServers } from './servers.ts'

const database = useTestDatabase()
const { url: redisUrl } = testQueue()

/** Returns the address of the database with changes. */
function databaseUrl(changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
  return Object.assign(new URL(database.url), changes).href
}

const messagesFor = async (settings: Parameters<typeof findUnreachableServers>[0]): Promise<string[]> =>
  (await findUnreachableServers(settings)).map(({ message }) => message)

describe('findUnreachableServers', () => {
  test('finds nothing wrong with servers that answer, or with settings that are absent', async () => {
    expect(await findUnreachableServers({ DATABASE_URL: database.url, REDIS_URL: redisUrl })).toEqual([])
    expect(await findUnreachableServers({})).toEqual([])
  })

  test('names the setting, host and port of every server that refuses connections, and never a password', async () => {
    const messages = await messagesFor({
      DATABASE_URL: 'postgresql://subtext:swordfish@127.0.0.1:1/subtext',
      REDIS_URL: 'redis://:swordfish@127.0.0.1:2',
    })
    expect(messages).toEqual([
      'DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:1 (connection refused).',
      'REDIS_URL: cannot connect to Redis at 127.0.0.1:2 (connection refused).',
    ])
  })

  test('says why a server that answers does not accept the connection', async () => {
    const [missing] = await messagesFor({ DATABASE_URL: databaseUrl({ pathname: '/nowhere' }) })
    expect(missing).toContain('database "nowhere" does not exist')
    const [stranger = ''] = await messagesFor({ DATABASE_URL: databaseUrl({ username: 'eve', password: 'swordfish' }) })
    expect(stranger).toMatch(/^DATABASE_URL: cannot connect to PostgreSQL at .+:\d+ \(.*eve/)
    expect(stranger).not.toContain('swordfish')
  })

  test('notices a server that closes connections and one that is something else', async () => {
    const sockets: Socket[] = []
    const closing = createServer((socket) => socket.destroy())
    const other = createServer((socket) => {
      sockets.push(socket)
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    const ports: number[] = []
    for (const server of [closing, other]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      ports.push((server.address() as { port: number }).port)
    }
    try {
      for (const port of ports) {
        const messages = await messagesFor({
          DATABASE_URL: `postgresql://127.0.0.1:${port}/x`,
          REDIS_URL: `redis://127.0.0.1:${port}`,
        })
        expect(messages).toEqual([
          expect.stringContaining(`PostgreSQL at 127.0.0.1:${port} (`),
          expect.stringContaining(`Redis at 127.0.0.1:${port} (`),
        ])
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      for (const server of [closing, other]) server.close()
    }
  })

  test('names the usual port, and a socket that is given as a parameter', async () => {
    const [unresolved] = await messagesFor({ DATABASE_URL: 'postgresql://subtext.invalid/x' })
    expect(unresolved).toContain('PostgreSQL at subtext.invalid:5432 (')
    const [socket] = await messagesFor({ DATABASE_URL: 'postgresql:///x?host=/nonexistent' })
    expect(socket).toContain('PostgreSQL at /nonexistent (')
  })
})

test('checkServers logs a line for each server that is away', async () => {
  const lines: string[] = []
  await checkServers(
    { DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1' },
    { warn: (message) => lines.push(message) },
  )
  expect(lines).toEqual(['REDIS_URL: cannot connect to Redis at 127.0.0.1:1 (connection refused). Waiting for it.'])
})

test('refuses a Redis that has no database of the number in its URL', async () => {
  const url = new URL(redisUrl)
  url.pathname = '/999'
  await expect(checkServers({ REDIS_URL: url.href }, { warn: () => {} })).rejects.toThrow(
    /^REDIS_URL: cannot use Redis at .* \(DB index is out of range\)\.$/,
  )
})

const testOnCluster = findRedisServer() ? test : test.skip

testOnCluster('refuses a Redis that is part of a cluster (needs redis-server)', async () => {
  const [port, busPort] = [await findSteadyPort(), await findSteadyPort()]
  const cluster = await startTool(basename(findRedisServer() ?? ''), (directory) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''],
    // Otherwise the bus takes the port 10,000 above, which may be that of a connection.
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
  ])
  try {
    const settings = { REDIS_URL: `redis://127.0.0.1:${port}` }
    await waitUntil('the server answers', async () => !(await messagesFor(settings))[0]?.includes('refused'))
    const message = `REDIS_URL: cannot use Redis at 127.0.0.1:${port} (Redis Cluster is not supported; use a single server, or Sentinel behind a proxy).`
    expect(await findUnreachableServers(settings)).toEqual([{ setting: 'REDIS_URL', message, isUnusable: true }])
    await expect(checkServers(settings, { warn: () => {} })).rejects.toThrow(message)
  } finally {
    await cluster.stop()
  }
})
