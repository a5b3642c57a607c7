/** The IDs of sample videos begin with it. */
const PREFIX = 'sbtx-'

/** Returns whether a video ID belongs to the sample platform, also if it has no such video. */
export const isSampleVideoId = (videoId: string): boolean => videoId.startsWith(PREFIX)

/** Returns whether the ID of a playlist or channel, or the name of a channel, belongs to the sample platform. */
export const isSampleList = (id: string): boolean => /^(?:PL|UC|UU(?:LF|SH|LV)?|@)sbtx-/.test(id)
