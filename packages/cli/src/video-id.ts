const BARE_ID = /^[\w-]{11}$/
const IN_PATH = /^\/(?:shorts|embed|live|v)\/([\w-]+)/

/** Whether a text has the form of an ID, which is safe in the name of a file. */
export const isVideoId = (text: string): boolean => /^[\w-]{6,64}$/.test(text)

/**
 * Returns the ID of the video that a URL names, or that is given alone, to name a file after it; undefined if the URL has none
 * of the usual forms.
 * The service decides what it accepts.
 */
export function videoIdOf(url: string): string | undefined {
  if (BARE_ID.test(url)) return url
  try {
    const { hostname, pathname, searchParams } = new URL(/^https?:\/\//i.test(url) ? url : `https://${url}`)
    const id = /(?:^|\.)youtu\.be$/.test(hostname)
      ? pathname.slice(1).split('/')[0]
      : (searchParams.get('v') ?? IN_PATH.exec(pathname)?.[1])
    return id && isVideoId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Commands whose arguments are videos. */
const VIDEO_COMMANDS = new Set(['summarize', 'transcript', 'estimate'])
/** An ID that looks like an option but is none: a short option with its value, and a long one, are written otherwise. */
const LIKE_OPTION = /^-(?![flmo])(?=.*[\dA-Z_])[\w-]{10}$/

/** Returns the arguments of a command with the IDs of videos that begin with `-` as URLs, so that they are not read as options. */
export const writeIdsAsUrls = (args: readonly string[]): string[] =>
  VIDEO_COMMANDS.has(args[0] ?? '')
    ? args.map((arg) => (LIKE_OPTION.test(arg) ? `https://www.youtube.com/watch?v=${arg}` : arg))
    : [...args]
