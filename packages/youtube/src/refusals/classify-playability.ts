import { listPlatformTracks } from '../video/caption-tracks.ts'
import type { PlayerResponse } from '../video/player-response.ts'
import type { Refusal } from './refusal.ts'

type Status = NonNullable<PlayerResponse['playabilityStatus']>
type Details = NonNullable<PlayerResponse['videoDetails']>

interface Rule {
  /** The rule applies if `when` or `words` matches. */
  when?: (status: Status, details: Details) => boolean
  /** Matched against all text that the platform shows. */
  words?: RegExp
  refusal: Refusal
}

const notAccessible: Omit<Refusal, 'cause'> = { code: 'VIDEO_NOT_ACCESSIBLE', next: 'stop' }
const blocked: Omit<Refusal, 'cause'> = { code: 'UPSTREAM_BLOCKED', next: 'confirm-block' }
const upcoming: Refusal = {
  code: 'LIVE_NOT_ENDED',
  next: 'stop',
  details: { reason: 'upcoming' },
  cause: 'upcoming',
  message: 'The stream or premiere has not started yet.',
}
const noCaptions: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'confirm',
  details: { reason: 'no_captions' },
  cause: 'no_captions',
  message: 'The video has no captions.',
}
const notYetCaptioned: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'confirm',
  details: { reason: 'not_yet_captioned' },
  retryable: true,
  cause: 'not_yet_captioned',
  message: 'The stream has ended, but it has no captions yet. They usually follow within hours.',
}
const withoutRecording: Refusal = {
  ...noCaptions,
  cause: 'no_recording',
  message: 'The recording of the stream is not available.',
}
const processing: Refusal = { ...notYetCaptioned, message: 'The video is still being processed. Retry later.' }
/** A demand to sign in, whatever the status: this is how the platform treats an address that it suspects. */
const SIGN_IN = /\b(?:sign|log)(?:ging|ing)?[ -]?in\b/
/**
 * Cause of refusals without a status: the platform changed its format, or something on the way answered in its place, which
 * another egress may avoid. They say nothing about the video.
 */
export const WITHOUT_STATUS = 'no_status'
const withoutStatus: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause: WITHOUT_STATUS }
const signIn: Refusal = { ...blocked, cause: 'sign_in' }
const hasStatus =
  (...wanted: string[]) =>
  ({ status }: Status): boolean =>
    wanted.includes(status ?? '')

/** Whether a stream or premiere has not begun. Such a video may have a trailer, as a film for sale has. */
const isAhead = (status: Status, { isUpcoming }: Details): boolean =>
  isUpcoming === true || hasStatus('LIVE_STREAM_OFFLINE')(status)

/** The first rule that applies decides. The words are English because every request asks for English. */
const RULES: Rule[] = [
  {
    words: /not a bot/,
    when: ({ errorScreen }) => errorScreen?.playerCaptchaViewModel !== undefined,
    refusal: { ...blocked, cause: 'bot_check' },
  },
  { words: /try again later/, refusal: { ...blocked, cause: 'rate_limited' } },
  {
    words:
      /page needs to be reloaded|latest version of youtube|not available on this app|player configuration error|playback on other websites/,
    refusal: { code: 'UPSTREAM_BLOCKED', next: 'next-client', cause: 'client_refused' },
  },
  // Must come before the rules for streams: one that has ended is processed, too.
  { words: /processing this video|check back later/, refusal: processing },
  {
    words: /\b(?:payment|purchased?|rent|rental|premium)\b/,
    when: (status, details) => {
      const { playerLegacyDesktopYpcOfferRenderer: offer, ...screens } = status.errorScreen ?? {}
      const trailer = screens.ypcTrailerRenderer ?? screens.playerLegacyDesktopYpcTrailerRenderer
      return offer !== undefined || (trailer !== undefined && !isAhead(status, details))
    },
    refusal: {
      ...notAccessible,
      details: { reason: 'payment' },
      cause: 'payment',
      message: 'The video is available only to paying viewers.',
    },
  },
  {
    // Must come before the rules below: the channel chooses the name of a membership level.
    words: /\bmembers?\b|join this channel/,
    refusal: {
      ...notAccessible,
      details: { reason: 'members' },
      cause: 'members',
      message: 'The video is available only to members of the channel.',
    },
  },
  {
    words: /\bprivate\b/,
    when: (_, { isPrivate }) => isPrivate === true,
    refusal: {
      code: 'TRANSCRIPT_UNAVAILABLE',
      next: 'stop',
      details: { reason: 'private' },
      cause: 'private',
      message: 'The video is private.',
    },
  },
  {
    // Must come before the rules for age and country: the platform's notes on removals mention both.
    words:
      /\b(?:has been removed|removed (?:by|for|because|due)|terminated|account .{0,80}\bclosed|no longer available|copyright claim|blocked it on copyright)\b/,
    refusal: { code: 'VIDEO_UNAVAILABLE', next: 'stop', cause: 'removed' },
  },
  {
    // Some apps warn of the content although the request confirms that the viewer wants it. Others play the video.
    when: hasStatus('CONTENT_CHECK_REQUIRED'),
    refusal: { code: 'AGE_RESTRICTED', next: 'next-client', cause: 'content_check' },
  },
  {
    words: /confirm your age|inappropriate|age[- ]restricted/,
    when: (status) =>
      status.desktopLegacyAgeGateReason !== undefined ||
      hasStatus('AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED')(status),
    refusal: { code: 'AGE_RESTRICTED', next: 'stop', cause: 'age' },
  },
  // Must come after the rules for private, paid and age-restricted videos, whose texts also ask the viewer to sign in.
  { words: SIGN_IN, refusal: signIn },
  {
    words: /will begin|\bpremieres\b|starting soon/,
    when: (_, { isUpcoming }) => isUpcoming === true,
    refusal: upcoming,
  },
  { words: /stream recording is not available/, refusal: withoutRecording },
  { words: /\b(?:event|stream|broadcast|premiere) (?:has |is )?(?:ended|over)\b/, refusal: notYetCaptioned },
  {
    when: hasStatus('LIVE_STREAM_OFFLINE'),
    refusal: { code: 'LIVE_NOT_ENDED', next: 'stop', details: { reason: 'offline' }, cause: 'live_offline' },
  },
  {
    words: /\b(?:country|countries|regions?)\b/,
    refusal: { code: 'GEO_BLOCKED', next: 'next-egress', cause: 'country' },
  },
  {
    // Addresses of a cloud are often restricted like those of a school.
    words: /\b(?:workspace|network) administrator\b|\brestricted mode\b/,
    refusal: { ...blocked, cause: 'restricted_network', mayConcernVideo: true },
  },
  {
    words: /\bcontent (?:isn't|is not)(?: currently)? available\b|\bcontent is(?: currently)? unavailable\b/,
    refusal: { ...blocked, cause: 'content_unavailable', mayConcernVideo: true },
  },
  { when: hasStatus('ERROR'), refusal: { code: 'VIDEO_UNAVAILABLE', next: 'confirm', cause: 'error' } },
  { when: hasStatus('UNPLAYABLE'), refusal: { code: 'VIDEO_UNAVAILABLE', next: 'next-client', cause: 'unplayable' } },
  { when: hasStatus('LOGIN_REQUIRED'), refusal: signIn },
]

/** The name of whoever claims a video, which may contain any of the words above. */
const CLAIMANT =
  /\b(contains content from|claims? (?:by|from)|complaints? (?:by|from)|requests? (?:by|from)) .{1,500}?(?=,? (?:who|one or more of whom) (?:has|have)\b|\. it (?:is|has)\b| in your country\b|\n|$)/g

const shownTexts = ({ reason, messages, errorScreen }: Status): string => {
  const message = errorScreen?.playerErrorMessageRenderer
  const dialog = errorScreen?.confirmDialogRenderer
  return [
    reason,
    ...(messages ?? []),
    message?.reason,
    message?.subreason,
    dialog?.title,
    ...(dialog?.dialogMessages ?? []),
  ]
    .filter((text) => text !== undefined)
    .join('\n')
    .replaceAll('’', "'")
    .toLowerCase()
    .replace(CLAIMANT, '$1 someone')
}

const findRule = ({ playabilityStatus, videoDetails = {} }: PlayerResponse): Rule | undefined => {
  if (!playabilityStatus) return undefined
  const shown = shownTexts(playabilityStatus)
  return RULES.find(({ words, when }) => words?.test(shown) || when?.(playabilityStatus, videoDetails))
}

const classifyPlayable = (response: PlayerResponse): Refusal | null => {
  const { isLive, isUpcoming, isPostLiveDvr } = response.videoDetails ?? {}
  if (isUpcoming) return upcoming
  if (isLive) return { code: 'LIVE_NOT_ENDED', next: 'stop', details: { reason: 'live' }, cause: 'live' }
  if (listPlatformTracks(response).length > 0) return null
  const refusal = findRule(response)?.refusal
  if (refusal?.next === 'confirm-block' || refusal === processing || refusal === withoutRecording) return refusal
  // Captions of a stream appear hours after its end. A playable video with a reason is a stream that has just ended.
  return isPostLiveDvr || response.playabilityStatus?.reason ? notYetCaptioned : noCaptions
}

/** Classifies what the platform tells one client about a video. Returns `null` if it plays and has captions. */
export const classifyPlayability = (response: PlayerResponse): Refusal | null => {
  const status = response.playabilityStatus?.status
  if (status === 'OK') return classifyPlayable(response)
  const rule = findRule(response)
  if (rule) return rule.refusal
  if (status === undefined) return withoutStatus
  return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause: 'unknown_status' }
}

const KNOWN_STATUSES = new Set([
  'OK',
  'ERROR',
  'UNPLAYABLE',
  'LOGIN_REQUIRED',
  'LIVE_STREAM_OFFLINE',
  'AGE_CHECK_REQUIRED',
  'AGE_VERIFICATION_REQUIRED',
  'CONTENT_CHECK_REQUIRED',
])

/**
 * Returns whether the rules know the status by name. A status that matches only by its words may mean more than the rules
 * cover.
 */
export const isKnownStatus = ({ playabilityStatus }: PlayerResponse): boolean =>
  playabilityStatus?.status === undefined || KNOWN_STATUSES.has(playabilityStatus.status)

/** Works like `classifyPlayability`, and also refuses a reply about another video, which is a decoy for scrapers. */
export const classifyPlayer = (response: PlayerResponse, videoId: string): Refusal | null => {
  if (response.playabilityStatus?.status === 'OK' && response.videoDetails?.videoId !== videoId) {
    return { code: 'UPSTREAM_BLOCKED', next: 'next-client', cause: 'decoy' }
  }
  return classifyPlayability(response)
}
