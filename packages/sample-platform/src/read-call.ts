import { decodeEventId } from './player-response.ts'

/** A request that is meant for one of the platform's hosts. All hosts are served alike. */
export interface PlatformCall {
  method: string
  url: URL
  header: (name: string) => string | null
  /** The body as it was sent; empty if there is none. */
  text: string
}

/** The fields read from the body of an API request. Each is optional; the routes check those they need. */
export interface ApiBody {
  client: string | null
  visitorData: string | null
  videoId: string | null
  continuation: string | null
  browseId: string | null
  params: string | null
  url: string | null
  hasToken: boolean
  hasTimestamp: boolean
}

/** Reads the body of an API request. Null if it is not JSON. */
export function readApiBody({ text: json }: Pick<PlatformCall, 'text'>): ApiBody | null {
  const body = json === '' ? {} : parse(json)
  if (body === undefined) return null
  const client = field(field(body, 'context'), 'client')
  return {
    client: text(field(client, 'clientName'))?.toUpperCase() ?? null,
    visitorData: text(field(client, 'visitorData')),
    videoId: text(field(body, 'videoId')) ?? text(field(field(body, 'playerRequest'), 'videoId')),
    continuation: text(field(body, 'continuation')),
    browseId: text(field(body, 'browseId')),
    params: text(field(body, 'params')),
    url: text(field(body, 'url')),
    hasToken: text(field(field(body, 'serviceIntegrityDimensions'), 'poToken')) !== null,
    hasTimestamp: Number.isInteger(
      field(field(field(body, 'playbackContext'), 'contentPlaybackContext'), 'signatureTimestamp'),
    ),
  }
}

/** How the keys of tracks begin, by the kind in their URLs. */
const PREFIXES: Record<string, string> = { asr: 'a', frc: 'f' }

/** Returns the key of the track that a caption URL names. */
export const readTrackKey = ({ searchParams }: URL): string =>
  `${PREFIXES[searchParams.get('kind') ?? ''] ?? ''}.${searchParams.get('lang') ?? ''}`

/** Returns the client that a caption URL was made for. */
export const readTrackClient = ({ searchParams }: URL): string => decodeEventId(searchParams.get('ei'))

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
