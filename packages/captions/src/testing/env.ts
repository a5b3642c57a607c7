/** Returns the folder of responses recorded from the video platform, if one is configured for the tests. */
export const recordedRepliesFolder = (): string | undefined => process.env.TEST_YOUTUBE_RECORDINGS

/** Returns the folder of caption files as people have them, if one is configured for the tests. */
export const captionFiles = (): string | undefined => process.env.TEST_CAPTION_FILES
