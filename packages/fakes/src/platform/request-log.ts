export type RequestKind =
  | 'session'
  | 'config'
  | 'visitor_id'
  | 'player'
  /** What the website tells of a video beside streams and captions. */
  | 'metadata'
  | 'reel'
  | 'next'
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
  /** `vssId` of the caption track asked for, e.g. `.en`, `a.en`. */
  track: string | null
  /** Upper case; of a caption request, the client its address was made for. */
  client: string | null
  visitorData: string | null
  /** Status sent; `null` while there is none. */
  status: number | null
}

/** Only what is named has to match. */
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
