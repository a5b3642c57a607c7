/** Returns the folder of responses recorded from the video platform, if one is configured for the tests. */
export const recordedRepliesFolder = (): string | undefined => process.env.TEST_YOUTUBE_RECORDINGS
