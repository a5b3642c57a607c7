/** Servers given from outside; what is absent is started. */
export const givenServers = (): { databaseUrl: string | undefined; redisUrl: string | undefined } => ({
  databaseUrl: process.env.TEST_DATABASE_URL,
  redisUrl: process.env.TEST_REDIS_URL,
})

/** Hands the servers' addresses to the test processes started after this. */
export const announceServers = (databaseUrl: string, redisUrl: string): void => {
  process.env.TEST_DATABASE_URL = databaseUrl
  process.env.TEST_REDIS_URL = redisUrl
}
