/** The parts of the platform, for servers that add videos, faults and a log to it. */

export * from './player-replies.ts'
export { type PlatformCall, readApiBody, readTrackClient, readTrackKey } from './read-call.ts'
export { type PlatformContents, type PlatformReply, replyToCall } from './reply-to-call.ts'
export type * from './sample-video.ts'
export { UNKNOWN_VIDEO_ID } from './samples.ts'
export { buildVisitorData } from './session-data.ts'
export { type Talk, type TalkSection, timeTalk } from './talk.ts'
export * from './timedtext/render-track.ts'
export { OCEAN_FLOOR } from './videos/ocean-floor.ts'
export { TEA, TEA_TRACKS } from './videos/tea.ts'
export { buildTeaVideo } from './videos/tea-video.ts'
export { UNAVAILABLE_VIDEOS } from './videos/unavailable.ts'
