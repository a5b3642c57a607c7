/** Returns the addresses of servers that were given; the test run starts the others. */
export const givenServers = (): { databaseUrl: string | undefined; redisUrl: string | undefined } => ({
  databaseUrl: process.env.TEST_DATABASE_URL,
  redisUrl: process.env.TEST_REDIS_URL,
})

/** Passes the addresses of the servers to test processes that are started later. */
export const announceServers = (databaseUrl: string, redisUrl: string): void => {
  process.env.TEST_DATABASE_URL = databaseUrl
  process.env.TEST_REDIS_URL = redisUrl
}
