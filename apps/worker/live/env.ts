/** The platform's first video, unless another is named: one that has captions and comments. */
export const liveVideoId = (): string => process.env.TEST_LIVE_VIDEO ?? 'jNQXAC9IVRw'
