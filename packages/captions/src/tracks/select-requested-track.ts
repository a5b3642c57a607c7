import type {
  CaptionTrack,
  SelectionReason,
  TrackFault,
  TrackRole,
  VideoInfo,
  VideoOptions,
  Warning,
  WarningCode,
} from '@subtext/contracts'
import { isSameLanguage } from './language-tags.ts'
import { selectTrack, type TrackRequest } from './select-track.ts'

export interface RequestedTrack {
  track: CaptionTrack
  selectionReason: SelectionReason
  /** Warnings about what was requested, or may be expected, and the track lacks. */
  warnings: TrackWarning[]
}

const TRACK_WARNINGS = [
  'TRACK_WITHOUT_SPEECH',
  'LANGUAGE_NOT_AVAILABLE',
  'DUBBED_CAPTIONS',
  'FORCED_CAPTIONS',
  'NOT_IN_SPOKEN_LANGUAGE',
] as const satisfies WarningCode[]
/** A warning about the track itself, which applies to every request that uses the track. */
type TrackWarning = Warning & { code: (typeof TRACK_WARNINGS)[number] }

export const isTrackWarning = (warning: Warning): warning is TrackWarning =>
  TRACK_WARNINGS.some((code) => code === warning.code)

const MAX_NAMED_TRACKS = 10
/** The language of a track for which the platform gives no language. */
const UNDETERMINED = 'und'
const KINDS = { manual: 'written by people', auto: 'automatic' }

const FAULTS: Record<TrackFault, string> = {
  no_speech: 'contain no speech',
  withheld: 'were not sent by the platform',
}

const warnOfFault = (passedOver: CaptionTrack, fault: TrackFault): TrackWarning => ({
  code: 'TRACK_WITHOUT_SPEECH',
  message: `The captions in \`${passedOver.language}\` (${KINDS[passedOver.kind]}) ${FAULTS[fault]}. The next track by the same rule was used.`,
})

const ROLE_WARNINGS: Record<TrackRole, TrackWarning> = {
  dub: {
    code: 'DUBBED_CAPTIONS',
    message: 'The video has only captions of audio that was dubbed by a machine. They may differ from what was said.',
  },
  forced: {
    code: 'FORCED_CAPTIONS',
    message: 'The video has only captions that translate lines in another language. They are not a full transcript.',
  },
}

/**
 * Lists the tracks in the language by language and kind. Track names are left out, because people on the platform choose them.
 */
const listTracks = (tracks: CaptionTrack[], spokenLanguage: string): string => {
  const spoken = tracks.filter(({ language, role }) => role === undefined && isSameLanguage(language, spokenLanguage))
  const names = new Set(spoken.map(({ language, kind }) => `\`${language}\` (${KINDS[kind]})`))
  return [...names].slice(0, MAX_NAMED_TRACKS).join(', ')
}

const warnOfLanguage = (track: CaptionTrack, tracks: CaptionTrack[], spokenLanguage: string): TrackWarning => {
  const spoken = listTracks(tracks, spokenLanguage)
  const remedy = spoken
    ? `The captions in the spoken language are ${spoken}. Request them with \`options.language\` or \`options.track_preference\`.`
    : 'There are no captions in the spoken language.'
  return {
    code: 'NOT_IN_SPOKEN_LANGUAGE',
    message: `The captions are in \`${track.language}\`, but \`${spokenLanguage}\` is spoken in the video. ${remedy}`,
  }
}

/** Returns the track that was passed over, if any: the one that would have been selected if all tracks were usable. */
const findPassedOver = (tracks: CaptionTrack[], request: TrackRequest): CaptionTrack | undefined => {
  if (tracks.every(({ fault }) => fault === undefined)) return undefined
  const untried = tracks.map(({ fault: _, ...track }) => track)
  const { key } = selectTrack(untried, request).track
  return tracks.find((track) => track.key === key)
}

/**
 * Selects the track of a video that fits a request best. A track known to be unusable is passed over, with a warning, while the
 * video has another. Throws `TRANSCRIPT_UNAVAILABLE` if the video has none.
 */
export function selectRequestedTrack(
  { language, track_preference: preference }: Pick<VideoOptions, 'language' | 'track_preference'>,
  video: { info: Pick<VideoInfo, 'language'>; tracks: CaptionTrack[] },
): RequestedTrack {
  const spokenLanguage = video.info.language
  const request = { language, spokenLanguage, preference }
  const { track, reason, languageMatched } = selectTrack(video.tracks, request)
  const warnings: TrackWarning[] = []
  const passedOver = findPassedOver(video.tracks, request)
  if (passedOver?.fault && passedOver.key !== track.key) warnings.push(warnOfFault(passedOver, passedOver.fault))
  if (!languageMatched) {
    warnings.push({
      code: 'LANGUAGE_NOT_AVAILABLE',
      message: `There are no captions in \`${language}\`. Those in \`${track.language}\` were used instead.`,
    })
  }
  if (track.role) warnings.push(ROLE_WARNINGS[track.role])
  const isKnown = spokenLanguage !== null && track.language !== UNDETERMINED
  const isAsked = language !== undefined && languageMatched
  if (!isAsked && isKnown && !isSameLanguage(track.language, spokenLanguage)) {
    warnings.push(warnOfLanguage(track, video.tracks, spokenLanguage))
  }
  return { track, selectionReason: reason, warnings }
}
