export type RequestKind =
  | 'session'
  | 'config'
  | 'visitor_id'
  | 'player'
  /** The website's request for the data of a video other than streams and captions. */
  | 'metadata'
  | 'reel'
  | 'next'
  /** Pages of lists. */
  | 'browse'
  /** Where names lead. */
  | 'resolve'
  | 'timedtext'
  | 'image'
  | 'other'

export interface PlatformRequest {
  kind: RequestKind
  /** Milliseconds since the epoch. */
  arrivedAt: number
  method: string
  /** Path and query. */
  url: string
  /** The host the request was meant for (`X-Forwarded-Host`, else `Host`). */
  host: string
  videoId: string | null
  /** `vssId` of the requested caption track, e.g. `.en`, `a.en`. */
  track: string | null
  /** The client name in upper case. For a caption request, the client that got the caption URL. */
  client: string | null
  visitorData: string | null
  /** The status of the response; `null` until it has been sent. */
  status: number | null
}

/** Matches requests by the given properties; the others are ignored. */
export type RequestFilter = Partial<
  Pick<PlatformRequest, 'kind' | 'videoId' | 'track' | 'client' | 'host' | 'visitorData'>
>

export function matchesFilter(request: PlatformRequest, filter: RequestFilter): boolean {
  return (
    (filter.kind === undefined || filter.kind === request.kind) &&
    (filter.videoId === undefined || filter.videoId === request.videoId) &&
    (filter.track === undefined || filter.track === request.track) &&
    (filter.client === undefined || filter.client === request.client) &&
    (filter.host === undefined || filter.host === request.host) &&
    (filter.visitorData === undefined || filter.visitorData === request.visitorData)
  )
}
