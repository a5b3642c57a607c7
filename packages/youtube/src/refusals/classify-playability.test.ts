import { parsePlayerResponse } from '../video/player-response.ts'
import { classifyPlayability, classifyPlayer } from './classify-playability.ts'
import { toServiceError } from './refusal.ts'

const classify = (reply: unknown) => classifyPlayability(parsePlayerResponse(reply))
const runs = (text: string) => ({ runs: [{ text }] })
const screen = (reason: string, subreason = '') => ({
  errorScreen: { playerErrorMessageRenderer: { reason: runs(reason), subreason: { simpleText: subreason } } },
})
const state = (status: string, reason?: string, more: object = {}) => ({
  playabilityStatus: { status, reason, ...more },
})
const captions = {
  playerCaptionsTracklistRenderer: { captionTracks: [{ baseUrl: '/api/timedtext?lang=en', languageCode: 'en' }] },
}

describe('classifyPlayability refuses', () => {
  test.each<[string, string, object]>([
    ['UPSTREAM_BLOCKED confirm-block', 'bot check', state('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot')],
    [
      'UPSTREAM_BLOCKED confirm-block',
      'bot check on the screen alone',
      state('NEW', undefined, screen("Confirm you're NOT a bot")),
    ],
    [
      'UPSTREAM_BLOCKED confirm-block',
      'CAPTCHA',
      state('UNPLAYABLE', 'x', { errorScreen: { playerCaptchaViewModel: {} } }),
    ],
    [
      'UPSTREAM_BLOCKED confirm-block',
      'rate limit',
      state('UNPLAYABLE', "This content isn't available, try again later."),
    ],
    ...['LOGIN_REQUIRED', 'UNPLAYABLE', 'ERROR', 'LIVE_STREAM_OFFLINE', 'OK', 'NEW'].map(
      (status): [string, string, object] => [
        'UPSTREAM_BLOCKED confirm-block',
        `a plain sign-in with the status ${status}`,
        state(status, 'Please sign in'),
      ],
    ),
    [
      'UPSTREAM_BLOCKED confirm-block',
      'a sign-in on the screen',
      state('UNPLAYABLE', 'Video unavailable', screen('Log in to continue')),
    ],
    [
      'UPSTREAM_BLOCKED confirm-block',
      'a bot check without a status',
      { playabilityStatus: { reason: "Confirm you're not a bot" } },
    ],
    [
      'TRANSCRIPT_UNAVAILABLE stop',
      'private, although it also asks to sign in',
      state('LOGIN_REQUIRED', 'This is a private video. Please sign in to verify that you may see it.'),
    ],
    ...['UNPLAYABLE', 'ERROR', 'LIVE_STREAM_OFFLINE', 'OK'].map((status): [string, string, object] => [
      'TRANSCRIPT_UNAVAILABLE confirm',
      `a video that is being processed, with the status ${status}`,
      state(status, "We're processing this video. Check back later."),
    ]),
    ['UPSTREAM_BLOCKED next-client', 'a client without token', state('UNPLAYABLE', 'The page needs to be reloaded.')],
    [
      'UPSTREAM_BLOCKED next-client',
      'an old client',
      state('ERROR', 'Please update to the latest version of YouTube.'),
    ],
    ['TRANSCRIPT_UNAVAILABLE stop', 'private', state('LOGIN_REQUIRED', 'This video is private')],
    [
      'TRANSCRIPT_UNAVAILABLE stop',
      'private without a reason',
      state('LOGIN_REQUIRED', undefined, { messages: ['This is a private video.'] }),
    ],
    [
      'TRANSCRIPT_UNAVAILABLE stop',
      'private by its details',
      { ...state('ERROR', 'x'), videoDetails: { isPrivate: true } },
    ],
    ['AGE_RESTRICTED stop', 'age by structure', state('LOGIN_REQUIRED', 'Etwas', { desktopLegacyAgeGateReason: 1 })],
    ['AGE_RESTRICTED stop', 'age by status', state('AGE_VERIFICATION_REQUIRED')],
    ['AGE_RESTRICTED stop', 'age by words', state('LOGIN_REQUIRED', 'Sign in to confirm your age')],
    [
      'AGE_RESTRICTED stop',
      'age in a dialogue',
      state('LOGIN_REQUIRED', undefined, {
        errorScreen: {
          confirmDialogRenderer: {
            title: runs('Sign in'),
            dialogMessages: [runs('This video may be inappropriate for some users.')],
          },
        },
      }),
    ],
    [
      'LIVE_NOT_ENDED stop',
      'a scheduled stream',
      state('LIVE_STREAM_OFFLINE', 'This live event will begin in 2 days.'),
    ],
    ['LIVE_NOT_ENDED stop', 'an interrupted stream', state('LIVE_STREAM_OFFLINE', 'Offline.')],
    ['LIVE_NOT_ENDED stop', 'a premiere', state('UNPLAYABLE', 'Premieres in 3 hours')],
    [
      'LIVE_NOT_ENDED stop',
      'upcoming by its details',
      { ...state('UNPLAYABLE', 'x'), videoDetails: { isUpcoming: true } },
    ],
    [
      'VIDEO_NOT_ACCESSIBLE stop',
      'members',
      state('UNPLAYABLE', 'Join this channel to get access to members-only content'),
    ],
    [
      'VIDEO_NOT_ACCESSIBLE stop',
      'members of a level named by the channel',
      state('UNPLAYABLE', "Available to this channel's members on level: Private Country Terminated"),
    ],
    ['VIDEO_NOT_ACCESSIBLE stop', 'payment', state('UNPLAYABLE', 'This video requires payment to watch.')],
    [
      'VIDEO_NOT_ACCESSIBLE stop',
      'payment by structure',
      state('UNPLAYABLE', 'x', { errorScreen: { ypcTrailerRenderer: {} } }),
    ],
    [
      'GEO_BLOCKED next-egress',
      'country',
      state('UNPLAYABLE', 'The uploader has not made this video available in your country'),
    ],
    [
      'GEO_BLOCKED next-egress',
      'country below',
      state(
        'UNPLAYABLE',
        'Video unavailable',
        screen('Video unavailable', 'Blocked it in your country on copyright grounds'),
      ),
    ],
    [
      'VIDEO_UNAVAILABLE stop',
      'removed, with a note on countries',
      state(
        'ERROR',
        'This video has been removed for violating the policy on hate speech. Learn more about combating hate speech in your country.',
      ),
    ],
    [
      'VIDEO_UNAVAILABLE stop',
      'a closed account',
      state('ERROR', 'This video is no longer available because the account associated with it has been terminated.'),
    ],
    ['GEO_BLOCKED next-egress', 'regions', state('UNPLAYABLE', 'This video is not available in some regions')],
    [
      'TRANSCRIPT_UNAVAILABLE confirm',
      'a stream that has ended and is offline',
      state('LIVE_STREAM_OFFLINE', 'This live event has ended.'),
    ],
    [
      'LIVE_NOT_ENDED stop',
      'an upcoming stream with a trailer',
      state('LIVE_STREAM_OFFLINE', 'Premieres in 2 hours', { errorScreen: { ypcTrailerRenderer: {} } }),
    ],
    [
      'VIDEO_NOT_ACCESSIBLE stop',
      'an upcoming stream that requires payment',
      state('LIVE_STREAM_OFFLINE', 'This live event requires payment to watch.'),
    ],
    [
      'AGE_RESTRICTED next-client',
      'a warning of the content',
      state('CONTENT_CHECK_REQUIRED', 'May be inappropriate.'),
    ],
    [
      'UPSTREAM_BLOCKED next-client',
      'a player that is set up wrongly',
      state('ERROR', 'Error 153 Video player configuration error'),
    ],
    ...["This content isn't available.", 'This content is unavailable', 'Hidden by Restricted Mode'].map(
      (words): [string, string, object] => [
        'UPSTREAM_BLOCKED confirm-block',
        `words that may be about the address: ${words}`,
        state('ERROR', 'Video unavailable', screen('Video unavailable', words)),
      ],
    ),
    [
      'GEO_BLOCKED next-egress',
      'words about the address that name the country',
      state('UNPLAYABLE', "This content isn't available in your country."),
    ],
    [
      'TRANSCRIPT_UNAVAILABLE confirm',
      'a stream without recording',
      state('UNPLAYABLE', 'This live stream recording is not available.'),
    ],
    ['VIDEO_UNAVAILABLE confirm', 'an error', state('ERROR', 'This video is unavailable')],
    ['UPSTREAM_UNAVAILABLE next-client', 'no status', {}],
    ['VIDEO_UNAVAILABLE next-client', 'one client', state('UNPLAYABLE', 'This video is not available')],
    ['UPSTREAM_UNAVAILABLE next-client', 'a new state', state('SOMETHING_NEW', 'Different parent')],
  ])('with %s: %s', (expected, _, reply) => {
    const refusal = classify(reply)
    expect(`${refusal?.code} ${refusal?.next}`).toBe(expected)
  })
})

describe('classifyPlayability of a playable video', () => {
  const ok = { playabilityStatus: { status: 'OK' } }

  test.each<[string, object]>([
    ['with captions', { ...ok, captions }],
    ['that is an ended stream with captions', { ...ok, captions, videoDetails: { isLiveContent: true } }],
    ['with parts of unknown shape', { ...ok, captions, videoDetails: 5, microformat: [], extra: {} }],
  ])('accepts one %s', (_, reply) => {
    expect(classify(reply)).toBeNull()
  })

  test.each<[string, object, object]>([
    [
      'live',
      { ...ok, captions, videoDetails: { isLive: true } },
      { code: 'LIVE_NOT_ENDED', details: { reason: 'live' } },
    ],
    ['no captions', ok, { code: 'TRANSCRIPT_UNAVAILABLE', details: { reason: 'no_captions' } }],
    [
      'no usable track',
      { ...ok, captions: { playerCaptionsTracklistRenderer: { captionTracks: [{}, null] } } },
      { details: { reason: 'no_captions' } },
    ],
    [
      'just ended',
      { playabilityStatus: { status: 'OK', reason: '直播已结束' } },
      { details: { reason: 'not_yet_captioned' }, retryable: true },
    ],
    [
      'ended a while ago',
      { ...ok, videoDetails: { isPostLiveDvr: true } },
      { details: { reason: 'not_yet_captioned' }, retryable: true },
    ],
    ['an old stream', { ...ok, videoDetails: { isLiveContent: true } }, { details: { reason: 'no_captions' } }],
  ])('refuses one that is or has %s', (_, reply, refusal) => {
    expect(classify(reply)).toMatchObject(refusal)
  })
})

test('classifyPlayer treats a reply about another video as a decoy', () => {
  const response = parsePlayerResponse({
    playabilityStatus: { status: 'OK' },
    captions,
    videoDetails: { videoId: 'other' },
  })
  expect(classifyPlayer(response, 'wanted')).toMatchObject({ code: 'UPSTREAM_BLOCKED', cause: 'decoy' })
  expect(classifyPlayer(response, 'other')).toBeNull()
})

test('classifyPlayability marks a video that is being processed as retryable', () => {
  expect(classify(state('UNPLAYABLE', "We're processing this video. Check back later."))).toMatchObject({
    details: { reason: 'not_yet_captioned' },
    retryable: true,
  })
})

test.each([null, undefined, 5, 'text', [], { playabilityStatus: [] }])(
  'classifyPlayability finds no status in %p',
  (reply) => {
    expect(classify(reply)).toMatchObject({ cause: 'no_status' })
  },
)

test.each<[object, string]>([
  [state('LOGIN_REQUIRED', 'This video is private'), 'The video is private.'],
  [{ playabilityStatus: { status: 'OK' } }, 'The video has no captions.'],
  [
    state('OK', 'This live event has ended.'),
    'The stream has ended, but it has no captions yet. They usually follow within hours.',
  ],
  [
    state('UNPLAYABLE', 'We’re processing this video. Check back later.'),
    'The video is still being processed. Retry later.',
  ],
  [state('LIVE_STREAM_OFFLINE', 'Premieres in 3 hours'), 'The stream or premiere has not started yet.'],
  [state('UNPLAYABLE', 'Join this channel to get access'), 'The video is available only to members of the channel.'],
  [state('UNPLAYABLE', 'This video requires payment to watch.'), 'The video is available only to paying viewers.'],
])('classifyPlayability explains %j as: %s', (reply, message) => {
  const refusal = classify(reply)
  expect(refusal && toServiceError(refusal).message).toBe(message)
})
