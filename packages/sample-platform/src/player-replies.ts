import type { PlayerJsonReply, PlayerReply } from './sample-video.ts'

/** Replies for videos that do not play, in the shapes that the platform's mobile clients get (`hl=en`). */

function runs(text: string): { runs: { text: string }[] } {
  return { runs: [{ text }] }
}

/** Builds a refusal whose reason is repeated on an error screen. `details: null` omits the details of the video. */
export function refuse(status: string, reason: string, details?: null): PlayerJsonReply {
  const errorScreen = { playerErrorMessageRenderer: { reason: runs(reason), icon: { iconType: 'ERROR_OUTLINE' } } }
  return { as: 'json', playability: { status, reason, errorScreen }, captions: 'none', details }
}

export const UNAVAILABLE = refuse('ERROR', 'This video is unavailable', null)
export const UNAVAILABLE_ON_CLIENT: PlayerJsonReply = {
  as: 'json',
  playability: { status: 'UNPLAYABLE', reason: 'This video is not available' },
  captions: 'none',
}

/** Refuses a private video. The web client gets no reason, only messages and an error screen. */
export function refusePrivate(client: string): PlayerJsonReply {
  const messages = ['This is a private video. Please sign in to verify that you may see it.']
  const status = 'LOGIN_REQUIRED'
  if (client === 'WEB') {
    const reason = { simpleText: 'Private video' }
    const subreason = { simpleText: "Sign in if you've been granted access to this video" }
    const errorScreen = { playerErrorMessageRenderer: { subreason, reason } }
    return { as: 'json', playability: { status, messages, errorScreen }, captions: 'none', details: null }
  }
  const subreason = {
    runs: [{ text: 'If the owner of this video has granted you access, please ' }, { text: 'sign in' }, { text: '.' }],
  }
  const errorScreen = { playerErrorMessageRenderer: { subreason } }
  const reason = 'This video is private'
  return { as: 'json', playability: { status, reason, messages, errorScreen }, captions: 'none', details: null }
}

/** Refuses an age-restricted video. The web client gets its usual error screen, the others a dialog. */
export function refuseUnderAge(client: string): PlayerJsonReply {
  const text = 'This video may be inappropriate for some users.'
  const gate = { status: 'LOGIN_REQUIRED', desktopLegacyAgeGateReason: 1 }
  if (client === 'WEB') {
    const reason = 'Sign in to confirm your age'
    const errorScreen = { playerErrorMessageRenderer: { subreason: runs(text), reason: { simpleText: reason } } }
    return { as: 'json', playability: { ...gate, reason, errorScreen }, captions: 'none' }
  }
  const title = runs('You must sign in to view this video')
  const errorScreen = { confirmDialogRenderer: { title, dialogMessages: [runs(text)] } }
  return { as: 'json', playability: { ...gate, reason: text, errorScreen }, captions: 'none' }
}

/** Refuses a video blocked by country. The web client gets a general reason, with the country mentioned below it. */
export function refuseCountry(client: string): PlayerJsonReply {
  const reason = 'The uploader has not made this video available in your country'
  if (client !== 'WEB') return refuse('UNPLAYABLE', reason)
  const general = 'Video unavailable'
  const errorScreen = {
    playerErrorMessageRenderer: { subreason: runs(reason), reason: { simpleText: general } },
  }
  return { as: 'json', playability: { status: 'UNPLAYABLE', reason: general, errorScreen }, captions: 'none' }
}

export const BOT_CHECK: PlayerJsonReply = {
  as: 'json',
  playability: {
    status: 'LOGIN_REQUIRED',
    reason: 'Sign in to confirm you’re not a bot',
    errorScreen: {
      playerErrorMessageRenderer: {
        subreason: { runs: [{ text: 'This helps protect our community. ' }, { text: 'Learn more' }] },
        reason: runs('Sign in to confirm you’re not a bot'),
        proceedButton: { buttonRenderer: { isDisabled: false, text: { simpleText: 'Sign in' } } },
      },
    },
  },
  captions: 'none',
  details: null,
}

/** The reply to a visitor or an IP address with too many requests. */
export const RATE_LIMITED = refuse('UNPLAYABLE', "This content isn't available, try again later.", null)
/** The reply to an address that the platform suspects, which no account could satisfy. */
export const SIGN_IN = refuse('UNPLAYABLE', 'Please sign in', null)
export const PROCESSING = refuse('UNPLAYABLE', "We're processing this video. Check back later.")
/** Responses of a proxy in front of the platform, or of the platform after a change of its format. */
export const FORMLESS: PlayerReply = {
  as: 'http',
  status: 200,
  contentType: 'application/json; charset=UTF-8',
  body: JSON.stringify({ responseContext: { maxAgeSeconds: 0 }, watch: { state: 'OK' } }),
}
/** The reply to a web player without a token. */
export const RELOAD = refuse('UNPLAYABLE', 'The page needs to be reloaded.', null)
/** A status that no version of the platform has used so far. */
export const UNKNOWN_STATE = refuse('SOMETHING_NEW', 'Different from all before')

export const PRECONDITION: PlayerReply = {
  as: 'http',
  status: 400,
  contentType: 'application/json; charset=UTF-8',
  body: JSON.stringify({ error: { code: 400, message: 'Precondition check failed.', status: 'FAILED_PRECONDITION' } }),
}

export function offline(reason: string, slate: string, scheduledStart: string): PlayerJsonReply {
  const offlineSlate = {
    liveStreamOfflineSlateRenderer: {
      scheduledStartTime: String(Date.parse(scheduledStart) / 1000),
      mainText: runs(slate),
    },
  }
  return {
    as: 'json',
    playability: {
      status: 'LIVE_STREAM_OFFLINE',
      reason,
      liveStreamability: { liveStreamabilityRenderer: { offlineSlate, pollDelayMs: '15000' } },
    },
    captions: 'none',
    details: { lengthSeconds: '0', isUpcoming: true, isLiveContent: true },
  }
}

export const CAPTCHA_PAGE = `<!DOCTYPE html>
<html>
  <head>
    <title>Sample video platform</title>
    <script src="https://www.google.com/recaptcha/api.js?hl=en" async defer></script>
  </head>
  <body>
    <form id="captcha-form" action="/das_captcha" method="POST">
      <div class="g-recaptcha" data-sitekey="sample"></div>
      <p>Our systems have detected unusual traffic from your computer network. Please show that you are not a robot.</p>
    </form>
  </body>
</html>
`

export const CAPTCHA: PlayerReply = {
  as: 'http',
  status: 429,
  contentType: 'text/html; charset=utf-8',
  body: CAPTCHA_PAGE,
}

export const BACKEND_ERROR: PlayerReply = {
  as: 'http',
  status: 503,
  contentType: 'application/json; charset=UTF-8',
  body: JSON.stringify({
    error: { code: 503, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' },
  }),
}
