/** One caption line. Times are integer milliseconds from the start of the video. */
export interface SampleCue {
  startMs: number
  durationMs: number
  text: string
}

export interface SampleTrack {
  /** BCP-47 language tag. */
  language: string
  /** `auto`: payloads have the shape of auto-generated captions, derived from the same cues. */
  kind: 'manual' | 'auto'
  /** Name shown to viewers. */
  name: string
  /** Built on first use, so that listing a ten-hour video costs nothing. */
  cues: () => readonly SampleCue[]
  /** Clients whose caption URL contains `exp=xpe` and returns 200 with an empty body. */
  gatedFor?: 'all' | readonly string[]
  /** The caption URL looks valid but returns 200 with this body in place of the captions. */
  body?: string
  /** Clients whose player response omits this track. */
  hiddenFrom?: readonly string[]
  /** `dub`: captions of audio dubbed by a machine; `forced`: only the lines in another language. */
  role?: 'dub' | 'forced'
}

export interface SampleComment {
  author: string
  text: string
  likes: number
  /** As displayed, e.g. `2 days ago`. */
  published: string
}

/** A player request: what it says about its client, and its place among other requests. */
export interface PlayerRequest {
  endpoint: 'player' | 'reel'
  /** `context.client.clientName` in upper case. */
  client: string
  /** Number of this request among those for the video, from 1. */
  nth: number
  /** Number of this request among those of its session, for any video, from 1. */
  nthInSession: number
  /** Number of this session among those that requested the video, from 1. */
  session: number
  /** Whether it contains a token of the web player. */
  hasToken: boolean
  /** Whether it states the version of the web player. */
  hasTimestamp: boolean
}

/** A JSON reply. Omitted fields are those of a video that plays. */
export interface PlayerJsonReply {
  as: 'json'
  playability?: Readonly<Record<string, unknown>>
  /** Fields that differ in `videoDetails`; `null` omits `videoDetails`. */
  details?: Readonly<Record<string, unknown>> | null
  /** `none`: no caption block; `empty`: a block without tracks. */
  captions?: 'tracks' | 'none' | 'empty'
  /** Another video to return instead of the requested one. */
  decoy?: SampleVideo
}

export type PlayerReply =
  | PlayerJsonReply
  | { as: 'http'; status: number; contentType: string; body: string }
  /** The JSON of a video that plays, cut off in the middle. */
  | { as: 'truncated' }
  /** The request is accepted and never answered. */
  | { as: 'hang' }

export interface SampleVideo {
  /** 11 characters. */
  id: string
  title: string
  /** Spoken language, as a BCP-47 tag. */
  language: string
  /** What the video is a sample of. */
  purpose: string
  author: string
  channelId: string
  description: string
  lengthSeconds: number
  /** ISO 8601 with offset; only the WEB client gets it. */
  published: string
  viewCount: number
  tracks: readonly SampleTrack[]
  /** Index in `tracks` of the default track; 0 by default. */
  defaultTrack?: number
  comments?: readonly SampleComment[]
  /** Whether the two large thumbnails (`sddefault`, `maxresdefault`) exist; true by default. */
  highDefinition?: boolean
  /** Returns the reply to a player request; by default the video plays. */
  play?: (request: PlayerRequest) => PlayerReply
}
