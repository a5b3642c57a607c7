import type { VideoInfo } from '@subtext/contracts'

/** Formats `m:ss`, or `h:mm:ss` from one hour on. Rounds down, so that a jump to the time never misses the first words. */
export const formatClock = (ms: number): string => {
  const total = Math.max(0, Math.floor(ms / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** Characters that URLs may contain, although a parenthesis would end a Markdown link. */
const encodeMarks = (url: string): string => url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

const WEB = /^https?:\/\//

/** Whether a recording is not on the platform: it was imported, or is an episode of a podcast. */
export const isElsewhere = ({ source }: Pick<VideoInfo, 'source'>): boolean =>
  source !== undefined && source.kind !== 'video'

/** Where a recording is: its ID on the platform, or the address that its owner or its feed gave. */
export const placeOf = ({ video_id, url, source }: Pick<VideoInfo, 'video_id' | 'url' | 'source'>): string =>
  isElsewhere({ source }) ? url : video_id

/**
 * Returns the URL of a recording or of a moment in it. That of a video is built from its ID alone: of URLs from outside, only
 * checked addresses of imports and episodes become links.
 */
export const buildWatchUrl = (place: string, atMs?: number): string => {
  if (WEB.test(place) && URL.canParse(place)) {
    const address = encodeMarks(new URL(place).href)
    return atMs === undefined ? address : `${address}#t=${Math.max(0, Math.floor(atMs / 1000))}`
  }
  const id = encodeMarks(encodeURIComponent(place.toWellFormed()))
  const url = `https://www.youtube.com/watch?v=${id}`
  return atMs === undefined ? url : `${url}&t=${Math.max(0, Math.floor(atMs / 1000))}s`
}
