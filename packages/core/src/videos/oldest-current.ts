/** How long information about a video counts as current. During this time, other jobs for the video do not ask the platform. */
const VIDEO_MAX_AGE_MS = 10 * 60_000

/** Returns the earliest fetch time that still counts as current. */
export const oldestCurrent = ({ clock }: { clock: () => Date }): Date => new Date(clock().getTime() - VIDEO_MAX_AGE_MS)
