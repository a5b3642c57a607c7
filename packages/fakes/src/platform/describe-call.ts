import { type PlatformCall, readApiBody, readTrackClient, readTrackKey } from '@subtext/sample-platform/protocol'
import type { PlatformRequest, RequestKind } from './request-log.ts'

const PLAYER = '/youtubei/v1/player'
const KINDS: Readonly<Record<string, RequestKind>> = {
  '/sw.js_data': 'session',
  '/youtubei/v1/config': 'config',
  '/youtubei/v1/visitor_id': 'visitor_id',
  [PLAYER]: 'player',
  '/youtubei/v1/reel/reel_item_watch': 'reel',
  '/youtubei/v1/next': 'next',
  '/youtubei/v1/browse': 'browse',
  '/youtubei/v1/navigation/resolve_url': 'resolve',
  '/api/timedtext': 'timedtext',
}

/** Describes a request for the request log, and for the filters of counters and faults. */
export function describeCall(call: PlatformCall): PlatformRequest {
  const { method, url, header } = call
  const isMetadata = url.pathname === PLAYER && url.searchParams.has('$fields')
  const kind = isMetadata ? 'metadata' : (KINDS[url.pathname] ?? (url.pathname.startsWith('/vi/') ? 'image' : 'other'))
  const { videoId = null, client = null, visitorData = null } = readApiBody(call) ?? {}
  const captions = kind === 'timedtext'
  return {
    kind,
    arrivedAt: Date.now(),
    method,
    url: `${url.pathname}${url.search}`,
    host: header('x-forwarded-host') ?? header('host') ?? '',
    videoId: captions ? url.searchParams.get('v') : kind === 'image' ? (url.pathname.split('/')[2] ?? null) : videoId,
    track: captions ? readTrackKey(url) : null,
    client: captions ? readTrackClient(url) : client,
    visitorData: visitorData ?? header('x-goog-visitor-id'),
    status: null,
  }
}
