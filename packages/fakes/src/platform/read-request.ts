import type { Request } from 'express'
import { decodeEventId } from './player-response.ts'
import type { PlatformRequest, RequestKind } from './request-log.ts'

const PLAYER = '/youtubei/v1/player'
const KINDS: Readonly<Record<string, RequestKind>> = {
  '/sw.js_data': 'session',
  '/youtubei/v1/config': 'config',
  '/youtubei/v1/visitor_id': 'visitor_id',
  [PLAYER]: 'player',
  '/youtubei/v1/reel/reel_item_watch': 'reel',
  '/youtubei/v1/next': 'next',
  '/api/timedtext': 'timedtext',
}

/** The fields read from the body of an API request. Each is optional; the routes check those they need. */
export interface ApiBody {
  client: string | null
  visitorData: string | null
  videoId: string | null
  continuation: string | null
  hasToken: boolean
  hasTimestamp: boolean
}

export function readApiBody(body: unknown): ApiBody {
  const client = field(field(body, 'context'), 'client')
  return {
    client: text(field(client, 'clientName'))?.toUpperCase() ?? null,
    visitorData: text(field(client, 'visitorData')),
    videoId: text(field(body, 'videoId')) ?? text(field(field(body, 'playerRequest'), 'videoId')),
    continuation: text(field(body, 'continuation')),
    hasToken: text(field(field(body, 'serviceIntegrityDimensions'), 'poToken')) !== null,
    hasTimestamp: Number.isInteger(
      field(field(field(body, 'playbackContext'), 'contentPlaybackContext'), 'signatureTimestamp'),
    ),
  }
}

export function readUrl(request: Request): URL {
  return new URL(request.originalUrl, 'http://platform.invalid')
}

/** Describes a request for the request log, and for the filters of counters and faults. */
export function describeRequest(request: Request): PlatformRequest {
  const url = readUrl(request)
  const isMetadata = url.pathname === PLAYER && url.searchParams.has('$fields')
  const kind = isMetadata ? 'metadata' : (KINDS[url.pathname] ?? (url.pathname.startsWith('/vi/') ? 'image' : 'other'))
  const body = readApiBody(request.body)
  const captions = kind === 'timedtext'
  return {
    kind,
    arrivedAt: Date.now(),
    method: request.method,
    url: request.originalUrl,
    host: request.get('x-forwarded-host') ?? request.get('host') ?? '',
    videoId: captions
      ? url.searchParams.get('v')
      : kind === 'image'
        ? (url.pathname.split('/')[2] ?? null)
        : body.videoId,
    track: captions ? readTrackKey(url) : null,
    client: captions ? decodeEventId(url.searchParams.get('ei')) : body.client,
    visitorData: body.visitorData ?? request.get('x-goog-visitor-id') ?? null,
    status: null,
  }
}

export function readTrackKey(url: URL): string {
  const prefixes: Record<string, string> = { asr: 'a', frc: 'f' }
  return `${prefixes[url.searchParams.get('kind') ?? ''] ?? ''}.${url.searchParams.get('lang') ?? ''}`
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
