import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@subtext/db'
import { type EmbeddedServer, startPostgres, startRedis } from '@subtext/embedded'

/** A server that one test file may end and start again; its address stays. */
export interface OwnServer {
  readonly url: string
  /** Ends it without a word, as a crash does. Redis forgets everything, Postgres what was not committed. */
  crash(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

type Start = (options: { dataDir: string; durable: false; port?: number }) => Promise<EmbeddedServer>

export const startOwnRedis = (): Promise<OwnServer> =>
  startOwn((options) => startRedis({ ...options, implementation: 'native' }))

export async function startOwnPostgres(): Promise<OwnServer> {
  const server = await startOwn(startPostgres)
  await migrate(server.url)
  return server
}

async function startOwn(start: Start): Promise<OwnServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-own-'))
  let server = await start({ dataDir, durable: false })
  const { url } = server
  const port = Number(new URL(url).port)
  return {
    url,
    async crash() {
      server.kill('SIGKILL')
      await server.exited
    },
    async start() {
      server = await start({ dataDir, durable: false, port })
    },
    async close() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
