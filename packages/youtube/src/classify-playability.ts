import { listPlatformTracks } from './caption-tracks.ts'
import type { PlayerResponse } from './player-response.ts'
import type { Refusal } from './refusal.ts'

type Status = NonNullable<PlayerResponse['playabilityStatus']>
type Details = NonNullable<PlayerResponse['videoDetails']>

interface Rule {
  /** Any of these decides; the words are looked for in every text the platform shows. */
  when?: (status: Status, details: Details) => boolean
  words?: RegExp
  refusal: Refusal
}

const notAccessible: Omit<Refusal, 'why'> = { code: 'VIDEO_NOT_ACCESSIBLE', next: 'stop' }
const blocked: Omit<Refusal, 'why'> = { code: 'UPSTREAM_BLOCKED', next: 'next-egress' }
const upcoming: Refusal = {
  code: 'LIVE_NOT_ENDED',
  next: 'stop',
  details: { reason: 'upcoming' },
  why: 'upcoming',
  message: 'The stream or premiere has not begun yet.',
}
const noCaptions: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'confirm',
  details: { reason: 'no_captions' },
  why: 'no_captions',
  message: 'The video has no captions.',
}
const notYetCaptioned: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'confirm',
  details: { reason: 'not_yet_captioned' },
  retryable: true,
  why: 'not_yet_captioned',
  message: 'The stream has ended, but there are no captions yet. They come some hours later.',
}
const hasStatus =
  (...wanted: string[]) =>
  ({ status }: Status): boolean =>
    wanted.includes(status ?? '')

/** In order: the first rule that applies decides. Words are English because every request asks for it. */
const RULES: Rule[] = [
  {
    words: /not a bot/,
    when: ({ errorScreen }) => errorScreen?.playerCaptchaViewModel !== undefined,
    refusal: { ...blocked, why: 'bot_check' },
  },
  { words: /try again later/, refusal: { ...blocked, why: 'rate_limited' } },
  {
    words: /page needs to be reloaded|latest version of youtube|not available on this app/,
    refusal: { code: 'UPSTREAM_BLOCKED', next: 'next-client', why: 'client_refused' },
  },
  {
    words: /\b(?:payment|purchased?|rent|rental|premium)\b/,
    when: ({ errorScreen }) =>
      errorScreen?.playerLegacyDesktopYpcOfferRenderer !== undefined || errorScreen?.ypcTrailerRenderer !== undefined,
    refusal: {
      ...notAccessible,
      details: { reason: 'payment' },
      why: 'payment',
      message: 'The video is for paying viewers only.',
    },
  },
  {
    // Comes before the others: the name of a membership level is the channel's own text.
    words: /\bmembers?\b|join this channel/,
    refusal: {
      ...notAccessible,
      details: { reason: 'members' },
      why: 'members',
      message: 'The video is for members of the channel only.',
    },
  },
  {
    words: /\bprivate\b/,
    when: (_, { isPrivate }) => isPrivate === true,
    refusal: {
      ...{ code: 'TRANSCRIPT_UNAVAILABLE', next: 'stop', details: { reason: 'private' } },
      why: 'private',
      message: 'The video is private.',
    },
  },
  {
    // Comes before the tests for age and country: the platform's notes on removals mention both.
    words:
      /\b(?:has been removed|removed (?:by|for|because|due)|terminated|account .{0,80}\bclosed|no longer available|copyright claim)\b/,
    refusal: { code: 'VIDEO_UNAVAILABLE', next: 'stop', why: 'removed' },
  },
  {
    words: /confirm your age|inappropriate|age[- ]restricted/,
    when: (status) =>
      status.desktopLegacyAgeGateReason !== undefined ||
      hasStatus('AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED', 'CONTENT_CHECK_REQUIRED')(status),
    refusal: { code: 'AGE_RESTRICTED', next: 'stop', why: 'age' },
  },
  {
    words: /will begin|\bpremieres\b|starting soon/,
    when: (_, { isUpcoming }) => isUpcoming === true,
    refusal: upcoming,
  },
  {
    when: hasStatus('LIVE_STREAM_OFFLINE'),
    refusal: { code: 'LIVE_NOT_ENDED', next: 'stop', details: { reason: 'offline' }, why: 'live_offline' },
  },
  { words: /stream recording is not available/, refusal: notYetCaptioned },
  {
    words: /\b(?:country|countries|regions?)\b/,
    refusal: { code: 'GEO_BLOCKED', next: 'next-egress', why: 'country' },
  },
  { when: hasStatus('ERROR'), refusal: { code: 'VIDEO_UNAVAILABLE', next: 'confirm', why: 'error' } },
  { when: hasStatus('UNPLAYABLE'), refusal: { code: 'VIDEO_UNAVAILABLE', next: 'next-client', why: 'unplayable' } },
  { when: hasStatus('LOGIN_REQUIRED'), refusal: { ...blocked, why: 'sign_in' } },
]

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
}

const classifyPlayable = (response: PlayerResponse): Refusal | null => {
  const { isLive, isUpcoming, isPostLiveDvr } = response.videoDetails ?? {}
  if (isUpcoming) return upcoming
  if (isLive) return { code: 'LIVE_NOT_ENDED', next: 'stop', details: { reason: 'live' }, why: 'live' }
  if (listPlatformTracks(response).length > 0) return null
  // Captions of a stream appear hours after its end. A playable video with a reason is a stream that has just ended.
  return isPostLiveDvr || response.playabilityStatus?.reason ? notYetCaptioned : noCaptions
}

/** What the platform says about a video to one client; `null` when it plays and has captions. */
export const classifyPlayability = (response: PlayerResponse): Refusal | null => {
  const { playabilityStatus: status, videoDetails = {} } = response
  if (status?.status === undefined) return { code: 'VIDEO_UNAVAILABLE', next: 'confirm', why: 'no_status' }
  if (status.status === 'OK') return classifyPlayable(response)
  const shown = shownTexts(status)
  const rule = RULES.find(({ words, when }) => words?.test(shown) || when?.(status, videoDetails))
  return rule?.refusal ?? { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', why: 'unknown_status' }
}

const KNOWN_STATUSES = new Set([
  ...['OK', 'ERROR', 'UNPLAYABLE', 'LOGIN_REQUIRED', 'LIVE_STREAM_OFFLINE'],
  ...['AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED', 'CONTENT_CHECK_REQUIRED'],
])

/** Whether the rules know the state by its name; one that they only know by its words may mean more than they see. */
export const isKnownStatus = ({ playabilityStatus }: PlayerResponse): boolean =>
  playabilityStatus?.status === undefined || KNOWN_STATUSES.has(playabilityStatus.status)

/** As `classifyPlayability`, and refuses an answer about another video: a decoy given to scrapers. */
export const classifyPlayer = (response: PlayerResponse, videoId: string): Refusal | null => {
  if (response.playabilityStatus?.status === 'OK' && response.videoDetails?.videoId !== videoId) {
    return { code: 'UPSTREAM_BLOCKED', next: 'next-client', why: 'decoy' }
  }
  return classifyPlayability(response)
}
