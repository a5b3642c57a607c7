/** URL of the Redis of the test run; undefined in Jest projects that start no servers. */
export const givenRedisUrl = (): string | undefined => process.env.TEST_REDIS_URL
