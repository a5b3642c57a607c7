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

/** A folder of answers recorded from the video platform, for the tests that read them where it is given. */
export const recordedAnswersFolder = (): string | undefined => process.env.TEST_YOUTUBE_RECORDINGS

/** The platform's first video, unless another is named: one that has captions and comments. */
export const liveVideoId = (): string => process.env.TEST_LIVE_VIDEO ?? 'jNQXAC9IVRw'

/** What every child process needs of ours: where programs are, nothing of the service's own settings. */
export const inheritedEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
})
