import { type EmbeddedServer, startPostgres, startRedis } from '@subtext/embedded'
import { findSteadyPort } from '@subtext/embedded/testing'
import { createDataDirectory } from './data-directory.ts'
import { givenCluster } from './env.ts'
import { guardDirectory } from './guard-directory.ts'
import { copyTestCluster, databaseUrl, prepareTemplate, TEMPLATE } from './test-cluster.ts'

/** A server that a test file can end and start again at the same address. */
export interface OwnServer {
  readonly url: string
  readonly dataDir: string
  /**
   * Ends the server as a crash does; with `SIGQUIT`, Postgres performs an immediate shutdown. Postgres loses everything that
   * was not committed, and Redis loses everything unless it is durable.
   */
  crash(signal?: 'SIGKILL' | 'SIGQUIT'): Promise<void>
  start(): Promise<void>
  /** Stops the process, so that the server neither answers nor refuses connections until `thaw`. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

type Start = (options: { dataDir: string; durable: boolean; port?: number }) => Promise<EmbeddedServer>

export const startOwnRedis = ({ durable = false } = {}): Promise<OwnServer> =>
  startOwn((options) => startRedis({ ...options, implementation: 'native' }), durable)

/** Its URL leads to a migrated, empty database. */
export async function startOwnPostgres({ durable = false } = {}): Promise<OwnServer> {
  const cluster = givenCluster()
  const server = await startOwn(startPostgres, durable, cluster)
  if (cluster === undefined) await prepareTemplate(server.url)
  return { ...server, url: databaseUrl(server.url, TEMPLATE) }
}

/** Starts a server on a copy of the folder `data`, if given, otherwise without data. */
async function startOwn(start: Start, durable: boolean, data?: string): Promise<OwnServer> {
  const dataDir = await createDataDirectory('subtext-own-')
  const guard = guardDirectory(dataDir)
  if (data !== undefined) await copyTestCluster(data, dataDir)
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
      // A stopped process handles no other signal.
      server.kill('SIGCONT')
      await server.stop()
      await guard.close()
    },
  }
}
