/** One caption line. Times are whole milliseconds from the start of the video. */
export interface SampleCue {
  startMs: number
  durationMs: number
  text: string
}

export interface SampleTrack {
  /** BCP-47. */
  language: string
  /** `auto`: payloads have the shape of the platform's speech recognition, made from the same cues. */
  kind: 'manual' | 'auto'
  /** As shown to viewers. */
  name: string
  /** Made when first asked for, so that listing a ten-hour video costs nothing. */
  cues: () => readonly SampleCue[]
  /** Clients whose address of this track carries `exp=xpe`, which answers 200 with nothing. */
  gatedFor?: 'all' | readonly string[]
  /** The address looks fine and answers 200 with nothing, or with a document that holds nothing. */
  withheld?: boolean | 'document'
  /** Clients that are not told of this track. */
  hiddenFrom?: readonly string[]
}

export interface SampleComment {
  author: string
  text: string
  likes: number
  /** As shown, e.g. `2 days ago`. */
  published: string
}

/** What a player request says about its sender, and which it is. */
export interface PlayerRequest {
  endpoint: 'player' | 'reel'
  /** `context.client.clientName` in upper case. */
  client: string
  /** Number of this request among those for the video, from 1. */
  nth: number
  /** Number of this request among those of its session, whatever the video, from 1. */
  nthInSession: number
  /** Number of this session among those that asked for the video, from 1. */
  session: number
  /** Carries a token of the web player. */
  hasToken: boolean
  /** Says which version of the web player it is. */
  hasTimestamp: boolean
}

/** A JSON answer; what is left out is as for a video that plays. */
export interface PlayerVerdict {
  as: 'json'
  playability?: Readonly<Record<string, unknown>>
  /** Fields that differ in `videoDetails`; `null`: no `videoDetails` at all. */
  details?: Readonly<Record<string, unknown>> | null
  /** `none`: no caption block; `empty`: a block without tracks. */
  captions?: 'tracks' | 'none' | 'empty'
  /** Answers with another video than the one asked for. */
  decoy?: SampleVideo
}

export type PlayerAnswer =
  | PlayerVerdict
  | { as: 'http'; status: number; contentType: string; body: string }
  /** The JSON of a video that plays, cut in the middle. */
  | { as: 'truncated' }
  /** Accepted and never answered. */
  | { as: 'hang' }

export interface SampleVideo {
  /** 11 characters. */
  id: string
  title: string
  /** Spoken language, BCP-47. */
  language: string
  /** What the video is there to show. */
  purpose: string
  author: string
  channelId: string
  description: string
  lengthSeconds: number
  /** ISO 8601 with offset; only the WEB client is told. */
  published: string
  viewCount: number
  tracks: readonly SampleTrack[]
  /** Index in `tracks` of the one shown unless the viewer chooses; the first when left out. */
  defaultTrack?: number
  comments?: readonly SampleComment[]
  /** Has the two large thumbnails (`sddefault`, `maxresdefault`); true when left out. */
  highDefinition?: boolean
  /** How player requests are answered; by default the video plays. */
  play?: (request: PlayerRequest) => PlayerAnswer
}
