/** A folder of answers recorded from the video platform, for the tests that read them where it is given. */
export const recordedAnswersFolder = (): string | undefined => process.env.TEST_YOUTUBE_RECORDINGS
