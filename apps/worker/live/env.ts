/** Returns the video for the live tests, which must have captions and comments. Default: the platform's first video. */
export const liveVideoId = (): string => process.env.TEST_LIVE_VIDEO ?? 'jNQXAC9IVRw'
