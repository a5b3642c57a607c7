/** The Redis of the test run; absent outside the projects that start one. */
export const givenRedisUrl = (): string | undefined => process.env.TEST_REDIS_URL
