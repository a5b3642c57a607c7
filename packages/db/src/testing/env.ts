/** Returns the addresses of servers from the environment; the test run starts the others. */
export const givenServers = (): { databaseUrl: string | undefined; redisUrl: string | undefined } => ({
  databaseUrl: process.env.TEST_DATABASE_URL,
  redisUrl: process.env.TEST_REDIS_URL,
})

/** Passes the addresses of the servers to test processes that are started later. */
export const announceServers = (databaseUrl: string, redisUrl: string): void => {
  process.env.TEST_DATABASE_URL = databaseUrl
  process.env.TEST_REDIS_URL = redisUrl
}

/** Returns the folder of a stopped Postgres that tests copy for a server of their own, if the test run has made one. */
export const givenCluster = (): string | undefined => process.env.TEST_POSTGRES_CLUSTER

/** Passes the folder to test processes that are started later. */
export const announceCluster = (directory: string): void => {
  process.env.TEST_POSTGRES_CLUSTER = directory
}

/** Returns the settings with which a nested test run or a chaos run copies the same cluster. */
export const clusterEnv = (): Record<string, string> => {
  const directory = givenCluster()
  return directory === undefined ? {} : { TEST_POSTGRES_CLUSTER: directory }
}
