import { type CaptionTrack, type SelectionReason, ServiceError, type TrackKind } from '@subtext/contracts'
import { isSameTag, isWrittenAlike, oneNarrowsOther } from './language-tags.ts'

export interface TrackPreference {
  /** BCP-47 tag that the caller asked for. */
  language?: string
  /** BCP-47 tag of the language spoken in the video, if the platform names it. */
  spokenLanguage?: string | null
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

const variant = (tracks: CaptionTrack[], language: string): CaptionTrack | undefined =>
  tracks.find((track) => oneNarrowsOther(track.language, language)) ??
  tracks.find((track) => isWrittenAlike(track.language, language))

const ofLanguage = (tracks: CaptionTrack[], language: string | null | undefined): CaptionTrack | undefined =>
  language ? (exact(tracks, language) ?? variant(tracks, language)) : undefined

const ofKind = (tracks: CaptionTrack[], kind: TrackKind): CaptionTrack[] =>
  tracks.filter((track) => track.kind === kind)

const languageRules = (tracks: CaptionTrack[], kind: TrackKind, language: string): Rule[] => [
  { reason: `${kind}_exact_language`, track: exact(ofKind(tracks, kind), language) },
  { reason: `${kind}_language_variant`, track: variant(ofKind(tracks, kind), language) },
]

const generalRules = (all: CaptionTrack[], kind: TrackKind, spokenLanguage: string | null | undefined): Rule[] => {
  const tracks = ofKind(all, kind)
  return [
    { reason: `${kind}_spoken_language`, track: ofLanguage(tracks, spokenLanguage) },
    { reason: `${kind}_platform_default`, track: tracks.find((track) => track.isDefault) },
    { reason: `${kind}_english`, track: ofLanguage(tracks, 'en') },
    { reason: `${kind}_first`, track: tracks[0] },
  ]
}

const firstApplicable = (rules: Rule[]): { track: CaptionTrack; reason: SelectionReason } | undefined => {
  for (const { track, reason } of rules) if (track) return { track, reason }
}

/**
 * Selects the track to transcribe: one in the requested language (manual before automatic), or else a manual track before
 * an automatic one, preferring the spoken language, then the platform's default, then English, then the first.
 * Throws `TRANSCRIPT_UNAVAILABLE` when there are no tracks.
 */
export const selectTrack = (tracks: CaptionTrack[], { language, spokenLanguage }: TrackPreference): SelectedTrack => {
  const asked = language
    ? firstApplicable([...languageRules(tracks, 'manual', language), ...languageRules(tracks, 'auto', language)])
    : undefined
  if (asked) return { ...asked, languageMatched: true }
  const taken = firstApplicable([
    ...generalRules(tracks, 'manual', spokenLanguage),
    ...generalRules(tracks, 'auto', spokenLanguage),
  ])
  if (!taken) throw new ServiceError('TRANSCRIPT_UNAVAILABLE', { details: { reason: 'no_captions' } })
  return { ...taken, languageMatched: !language }
}
