/** Returns the video that the live tests use. It must have captions and comments; the default is the platform's first video. */
export const liveVideoId = (): string => process.env.TEST_LIVE_VIDEO ?? 'jNQXAC9IVRw'
