/** `m:ss`, from one hour on `h:mm:ss`; parts of a second are dropped, so that a jump never lands after the words. */
export const formatClock = (ms: number): string => {
  const total = Math.max(0, Math.floor(ms / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** Address of a video, or of a moment in it, made from its id alone: no foreign address is ever passed on as a link. */
export const buildWatchUrl = (videoId: string, atMs?: number): string => {
  // encodeURIComponent leaves these five, and a parenthesis would end a Markdown link.
  const id = encodeURIComponent(videoId.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  const url = `https://www.youtube.com/watch?v=${id}`
  return atMs === undefined ? url : `${url}&t=${Math.max(0, Math.floor(atMs / 1000))}s`
}
