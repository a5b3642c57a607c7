/** Formats `m:ss`, or `h:mm:ss` from one hour on. Rounds down, so that a jump to the time never misses the first words. */
export const formatClock = (ms: number): string => {
  const total = Math.max(0, Math.floor(ms / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** Returns the URL of a video or of a moment in it, built from its ID alone: URLs from outside never become links. */
export const buildWatchUrl = (videoId: string, atMs?: number): string => {
  // encodeURIComponent leaves these five characters, and a parenthesis would end a Markdown link.
  const id = encodeURIComponent(videoId.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  const url = `https://www.youtube.com/watch?v=${id}`
  return atMs === undefined ? url : `${url}&t=${Math.max(0, Math.floor(atMs / 1000))}s`
}
