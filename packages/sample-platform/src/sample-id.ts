/** The IDs of sample videos begin with it. */
const PREFIX = 'sbtx-'

/** Returns whether a video ID belongs to the sample platform, also if it has no such video. */
export const isSampleVideoId = (videoId: string): boolean => videoId.startsWith(PREFIX)
