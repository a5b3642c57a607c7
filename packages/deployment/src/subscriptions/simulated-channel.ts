import type { StoredListedVideo } from '@subtext/core/sources'
import { mersenne, unsafeUniformIntDistribution } from 'pure-rand'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Returns a function that draws whole numbers from 0 to below `below`, the same for the same seed. */
export function createDraw(seed: number): (below: number) => number {
  const generator = mersenne(seed)
  return (below) => unsafeUniformIntDistribution(0, below - 1, generator)
}

export interface SimulatedVideo {
  id: string
  seconds: number
  publishedAt: number
  /** Later than `publishedAt` for one that was private until then: it appears among the old ones. */
  visibleFrom: number
  goneFrom: number
}

/** A channel with every trap of the platform: mass uploads, late videos with an old date, and videos that are deleted. */
export interface SimulatedChannel {
  id: string
  videos: SimulatedVideo[]
}

const FEED_ENTRIES = 15
const MASS_UPLOAD = 40

/** Draws what a channel publishes from `start` for `days`, after 30 videos from before. */
export function drawChannel(nth: number, { start, days }: { start: number; days: number }): SimulatedChannel {
  const draw = createDraw(nth + 1)
  const videos: SimulatedVideo[] = []
  const add = (publishedAt: number, visibleFrom = publishedAt): void => {
    const goneFrom = draw(20) === 0 ? visibleFrom + 2 * DAY_MS : Number.POSITIVE_INFINITY
    const id = `${String(nth).padStart(3, '0')}-${String(videos.length).padStart(7, '0')}`
    videos.push({ id, seconds: 20 + draw(600), publishedAt, visibleFrom, goneFrom })
  }
  for (let old = 30; old > 0; old--) add(start - old * DAY_MS)
  for (let day = 0; day < days; day++) {
    const dayStart = start + day * DAY_MS
    for (let count = draw(4); count > 0; count--) add(dayStart + draw(DAY_MS))
    if (day % 10 === 5) for (let one = 0; one < MASS_UPLOAD; one++) add(dayStart + 12 * HOUR_MS + one * 1_000)
    if (day % 7 === 3) add(dayStart - 20 * DAY_MS, dayStart + draw(DAY_MS))
  }
  return { id: `UCsimulated${String(nth).padStart(13, '0')}`, videos }
}

/** Returns the videos that the channel shows at a time, the newest first. */
const visibleAt = ({ videos }: SimulatedChannel, now: number): SimulatedVideo[] =>
  videos
    .filter(({ visibleFrom, goneFrom }) => visibleFrom <= now && now < goneFrom)
    .sort((a, b) => b.publishedAt - a.publishedAt)

/** Writes the feed of the channel. */
export const feedAt = (channel: SimulatedChannel, now: number): string =>
  `<feed><yt:channelId>${channel.id}</yt:channelId>${visibleAt(channel, now)
    .slice(0, FEED_ENTRIES)
    .map(
      ({ id, publishedAt }) =>
        `<entry><yt:videoId>${id}</yt:videoId><title>${id}</title><published>${new Date(publishedAt).toISOString()}</published></entry>`,
    )
    .join('')}</feed>`

/** Returns the list of the channel. */
export const listAt = (channel: SimulatedChannel, now: number): StoredListedVideo[] =>
  visibleAt(channel, now).map(({ id, seconds, publishedAt }) => ({
    videoId: id,
    title: id,
    type: 'video',
    durationSeconds: seconds,
    publishedAt: new Date(publishedAt).toISOString(),
    isApproximate: true,
    reason: null,
  }))
