const IN_PATH = /^\/(?:shorts|embed|live|v)\/([\w-]+)/

/**
 * Returns the ID of the video that a URL names, to name a file after it; undefined if the URL has none of the usual forms.
 * The service decides what it accepts.
 */
export function videoIdOf(url: string): string | undefined {
  try {
    const { hostname, pathname, searchParams } = new URL(/^https?:\/\//i.test(url) ? url : `https://${url}`)
    const id = /(?:^|\.)youtu\.be$/.test(hostname)
      ? pathname.slice(1).split('/')[0]
      : (searchParams.get('v') ?? IN_PATH.exec(pathname)?.[1])
    return id && /^[\w-]{6,64}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
