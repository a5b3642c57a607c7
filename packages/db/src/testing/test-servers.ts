import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '@subtext/embedded'
import { createDataDirectory } from './data-directory.ts'
import { announceCluster, announceServers, givenCluster, givenServers } from './env.ts'
import { guardDirectory } from './guard-directory.ts'
import { copyTestCluster, createTestCluster, prepareTemplate } from './test-cluster.ts'

/**
 * Starts the servers whose addresses are not in the environment, and prepares the template that test databases are
 * copied from. Returns a function that stops the servers.
 */
export async function startTestServers(): Promise<() => Promise<void>> {
  const dataDir = await createDataDirectory('subtext-test-')
  const guard = guardDirectory(dataDir)
  const given = givenServers()
  if (!given.databaseUrl) await provideCluster(dataDir)
  const servers = await startEmbedded({ ...given, dataDir, durable: false })
  if (given.databaseUrl) await prepareTemplate(given.databaseUrl)
  announceServers(servers.databaseUrl, servers.redisUrl)
  // An interrupted run skips its teardown. The servers end when this process exits, but not when a signal ends it.
  // Jest replaces `process.exit` while a test file runs in this process.
  const exit = process.exit.bind(process)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => exit(1))
  return async () => {
    await servers.stop()
    await guard.close()
  }
}

/** Makes the cluster of the test server, as a copy of one that tests may copy as well. */
async function provideCluster(dataDir: string): Promise<void> {
  let cluster = givenCluster()
  if (cluster === undefined) {
    cluster = join(dataDir, 'cluster')
    await createTestCluster(cluster)
    announceCluster(cluster)
  }
  const directory = join(dataDir, 'postgres')
  await mkdir(directory, { mode: 0o700 })
  await copyTestCluster(cluster, directory)
}
