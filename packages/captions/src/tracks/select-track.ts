import {
  type CaptionTrack,
  type SelectionReason,
  ServiceError,
  type TrackKind,
  type TrackPreference,
} from '@subtext/contracts'
import { isSameTag, isWrittenAlike, oneNarrowsOther } from './language-tags.ts'

export interface TrackRequest {
  /** BCP-47 tag that the caller asked for. */
  language?: string
  /** BCP-47 tag of the language spoken in the video, if the platform names it. */
  spokenLanguage?: string | null
  /** Default: `manual`. */
  preference?: TrackPreference
}

export interface SelectedTrack {
  track: CaptionTrack
  /** The rule that selected it, such as `manual_exact_language`. */
  reason: SelectionReason
  /** `false` when a language was asked for and no track has it. */
  languageMatched: boolean
}

interface Rule {
  reason: SelectionReason
  track: CaptionTrack | undefined
}

const exact = (tracks: CaptionTrack[], language: string): CaptionTrack | undefined =>
  tracks.find((track) => isSameTag(track.language, language))

// A text in the same script can be read, so the script counts before the prefix: `zh-Hant`, not `zh`, for `zh-TW`.
const variant = (tracks: CaptionTrack[], language: string): CaptionTrack | undefined => {
  const alike = tracks.filter((track) => isWrittenAlike(track.language, language))
  const narrows = (track: CaptionTrack): boolean => oneNarrowsOther(track.language, language)
  return alike.find(narrows) ?? alike[0] ?? tracks.find(narrows)
}

const ofLanguage = (tracks: CaptionTrack[], language: string | null | undefined): CaptionTrack | undefined =>
  language ? (exact(tracks, language) ?? variant(tracks, language)) : undefined

const ofKind = (tracks: CaptionTrack[], kind: TrackKind): CaptionTrack[] =>
  tracks.filter((track) => track.kind === kind)

const languageRules = (tracks: CaptionTrack[], kind: TrackKind, language: string): Rule[] => [
  { reason: `${kind}_exact_language`, track: exact(ofKind(tracks, kind), language) },
  { reason: `${kind}_language_variant`, track: variant(ofKind(tracks, kind), language) },
]

const spokenRule = (all: CaptionTrack[], kind: TrackKind, { spokenLanguage }: TrackRequest): Rule => ({
  reason: `${kind}_spoken_language`,
  track: ofLanguage(ofKind(all, kind), spokenLanguage),
})

const generalRules = (all: CaptionTrack[], kind: TrackKind, request: TrackRequest): Rule[] => {
  const tracks = ofKind(all, kind)
  return [
    spokenRule(all, kind, request),
    { reason: `${kind}_platform_default`, track: tracks.find((track) => track.isDefault) },
    { reason: `${kind}_english`, track: ofLanguage(tracks, 'en') },
    { reason: `${kind}_first`, track: tracks[0] },
  ]
}

const firstApplicable = (rules: Rule[]): { track: CaptionTrack; reason: SelectionReason } | undefined => {
  for (const { track, reason } of rules) if (track) return { track, reason }
}

/** Some streamers publish the log of their chat as a track. It is not what was said. */
const isChatLog = ({ kind, name }: CaptionTrack): boolean =>
  kind === 'manual' && /\bchat(?:[ -]?(?:log|replay))?[)\]]?$/i.test(name)

/** The tracks to choose from, in order: the first of these groups that has any. */
const GROUPS: ((track: CaptionTrack) => boolean)[] = [
  (track) => track.role === undefined && !isChatLog(track),
  ({ role }) => role === undefined,
  ({ role }) => role === 'dub',
  ({ role }) => role === 'forced',
]

/**
 * Returns the tracks to choose from: those of the video as it was filmed, or else those of dubbed audio, or else those that
 * translate a few lines. Tracks known to be unusable come after all others, and the platform's default before its equals.
 */
const selectCandidates = (all: CaptionTrack[]): CaptionTrack[] => {
  const usable = all.filter(({ fault }) => fault === undefined)
  const tracks = usable.length > 0 ? usable : all
  const candidates = GROUPS.map((belongs) => tracks.filter(belongs)).find((some) => some.length > 0) ?? []
  return candidates.toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
}

/**
 * Selects the track to transcribe: one in the requested language (manual before automatic), or else a manual track before
 * an automatic one, preferring the spoken language, then the platform's default, then English, then the first. With the
 * preference `automatic`, automatic tracks come before manual ones in both; with `spoken_language`, any track in that language
 * comes before those of other languages unless one was requested. Throws `TRANSCRIPT_UNAVAILABLE` when there are no tracks.
 */
export const selectTrack = (all: CaptionTrack[], request: TrackRequest): SelectedTrack => {
  const { language, preference } = request
  const tracks = selectCandidates(all)
  const kinds: TrackKind[] = preference === 'automatic' ? ['auto', 'manual'] : ['manual', 'auto']
  const asked = language ? firstApplicable(kinds.flatMap((kind) => languageRules(tracks, kind, language))) : undefined
  if (asked) return { ...asked, languageMatched: true }
  const taken = firstApplicable([
    ...(preference === 'spoken_language' ? kinds.map((kind) => spokenRule(tracks, kind, request)) : []),
    ...kinds.flatMap((kind) => generalRules(tracks, kind, request)),
  ])
  if (!taken) throw new ServiceError('TRANSCRIPT_UNAVAILABLE', { details: { reason: 'no_captions' } })
  return { ...taken, languageMatched: !language }
}
