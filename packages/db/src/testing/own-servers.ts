import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@subtext/db'
import { type EmbeddedServer, startPostgres, startRedis } from '@subtext/embedded'
import { findSteadyPort } from '@subtext/embedded/testing'

/** A server that one test file may end and start again; its address stays. */
export interface OwnServer {
  readonly url: string
  readonly dataDir: string
  /**
   * Ends it without a word, as a crash does; `SIGQUIT` is Postgres' own way of stopping at once. Postgres forgets what
   * was not committed, Redis everything unless it is durable.
   */
  crash(signal?: 'SIGKILL' | 'SIGQUIT'): Promise<void>
  start(): Promise<void>
  /** Neither answers nor refuses until `thaw`. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

type Start = (options: { dataDir: string; durable: boolean; port?: number }) => Promise<EmbeddedServer>

export const startOwnRedis = ({ durable = false } = {}): Promise<OwnServer> =>
  startOwn((options) => startRedis({ ...options, implementation: 'native' }), durable)

export async function startOwnPostgres({ durable = false } = {}): Promise<OwnServer> {
  const server = await startOwn(startPostgres, durable)
  await migrate(server.url)
  return server
}

async function startOwn(start: Start, durable: boolean): Promise<OwnServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-own-'))
  const port = await findSteadyPort()
  let server = await start({ dataDir, durable, port })
  const { url } = server
  return {
    url,
    dataDir,
    async crash(signal = 'SIGKILL') {
      server.kill(signal)
      await server.exited
    },
    async start() {
      server = await start({ dataDir, durable, port })
    },
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async close() {
      // A frozen one hears nothing else.
      server.kill('SIGCONT')
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
