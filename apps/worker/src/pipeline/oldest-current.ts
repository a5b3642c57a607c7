/** How long information about a video counts as current. Until then, other jobs for it do not ask the platform. */
const VIDEO_MAX_AGE_MS = 10 * 60_000

/** Returns the time since which a video must have been fetched to be current. */
export const oldestCurrent = ({ clock }: { clock: () => Date }): Date => new Date(clock().getTime() - VIDEO_MAX_AGE_MS)
