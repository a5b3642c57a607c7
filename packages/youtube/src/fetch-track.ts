import type { Cue, TrackKind } from '@subtext/contracts'
import type { Attempt } from './attempts.ts'
import { type Refusal, UpstreamRefusal, unreadableCaptions } from './refusals/refusal.ts'
import { decodeBody } from './session/transport.ts'
import { type AddressedTrack, buildCaptionUrl, isGated } from './video/caption-tracks.ts'
import type { ReadCaptions, SourcedTranscript } from './video-source.ts'

/** The platform sends nothing. Another app may get the track. */
const withheld: Refusal = {
  code: 'UPSTREAM_BLOCKED',
  next: 'next-client',
  cause: 'withheld_captions',
  fault: 'withheld',
}
export const gated: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-client', cause: 'gated_captions' }
const foreignCaptions: Refusal = { ...gated, cause: 'foreign_caption_address' }
const malformedCaptions: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', cause: 'malformed_captions' }
const withoutSpeech: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'stop',
  details: { reason: 'no_captions' },
  cause: 'nothing_spoken',
  fault: 'no_speech',
  message: 'The captions of the video contain no speech.',
}
/** The platform sends a document without cues to some apps in place of the captions. */
const emptyCaptions: Refusal = { ...withoutSpeech, next: 'confirm', cause: 'empty_captions' }

interface TrackSource {
  origin: string | undefined
  hasTokens: boolean
  readCaptions: ReadCaptions
}

interface TrackRequest {
  track: AddressedTrack
  /** Length of the video; 0 if it is unknown. */
  videoSeconds: number
  /** Waiting for a thread must not use up the time for the platform, which has sent its part by then. */
  jobSignal: AbortSignal
}

/** Returns whether a body without cues is no document: no bytes, or an envelope without content. */
const isWithheld = (body: Uint8Array[]): boolean => {
  const text = decodeBody(body).trim()
  return text === '' || (text.startsWith('{') && !text.includes('"events"'))
}

const readBody = async (source: TrackSource, body: Uint8Array[], kind: TrackKind, signal: AbortSignal) => {
  try {
    return await source.readCaptions(body, { kind }, signal)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UpstreamRefusal(malformedCaptions, error)
    if (error instanceof RangeError) throw new UpstreamRefusal(unreadableCaptions, error)
    throw error
  }
}

/** Ends cues with the video. The last one of some tracks is said to last for hours. */
const endWithVideo = (cues: Cue[], videoSeconds: number): Cue[] => {
  // The platform rounds the length.
  const endMs = (videoSeconds + 1) * 1000
  if (videoSeconds === 0) return cues
  return cues.map((cue) =>
    cue.startMs < endMs && cue.startMs + cue.durationMs > endMs ? { ...cue, durationMs: endMs - cue.startMs } : cue,
  )
}

/** Fetches and reads a track with an attempt. Throws `UpstreamRefusal`. */
export const fetchTrack = async (
  source: TrackSource,
  attempt: Attempt,
  { track, videoSeconds, jobSignal }: TrackRequest,
): Promise<SourcedTranscript> => {
  const url = buildCaptionUrl(track.baseUrl, source.origin)
  if (!url) throw new UpstreamRefusal(foreignCaptions)
  const opensGate = attempt.client === 'WEB' && source.hasTokens
  if (isGated(url) && !opensGate) throw new UpstreamRefusal(gated)
  const body = await attempt.session.fetchCaptions(url, attempt.client, attempt.signal)
  const { written, cues, report } = await readBody(source, body, track.kind, jobSignal)
  if (written === 0) throw new UpstreamRefusal(isWithheld(body) ? withheld : emptyCaptions)
  if (cues.length === 0) throw new UpstreamRefusal(withoutSpeech)
  return { cues: endWithVideo(cues, videoSeconds), cleaning: report }
}
