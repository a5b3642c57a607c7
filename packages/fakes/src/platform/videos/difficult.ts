import {
  BACKEND_ERROR,
  BOT_CHECK,
  CAPTCHA,
  FORMLESS,
  offline,
  PRECONDITION,
  PROCESSING,
  RATE_LIMITED,
  RELOAD,
  refuse,
  refuseCountry,
  refusePrivate,
  refuseUnderAge,
  SIGN_IN,
  UNAVAILABLE_ON_CLIENT,
  UNKNOWN_STATE,
} from '../player-answers.ts'
import type { PlayerAnswer, PlayerRequest, SampleTrack, SampleVideo } from '../sample-video.ts'
import { OCEAN_FLOOR } from './ocean-floor.ts'
import { TEA, TEA_TRACKS } from './tea.ts'

const PLAYS: PlayerAnswer = { as: 'json' }

type Changes = Partial<Omit<SampleVideo, 'id' | 'title' | 'purpose' | 'play'>>

/** Builds a video with the tea talk. `name` is the last four characters of its id. */
function buildTeaVideo(
  name: string,
  title: string,
  purpose: string,
  play: PlayerAnswer | ((request: PlayerRequest) => PlayerAnswer),
  changes: Changes = {},
): SampleVideo {
  return {
    id: `sbtx-x-${name}`,
    title,
    language: 'en',
    purpose,
    author: 'Subtext Sample Difficulties',
    channelId: 'UCsubtextSampleDifficult',
    description: purpose,
    lengthSeconds: TEA.lengthSeconds,
    published: '2026-02-01T12:00:00-00:00',
    viewCount: 101,
    tracks: TEA_TRACKS,
    play: typeof play === 'function' ? play : () => play,
    ...changes,
  }
}

const LIVE_NOW: PlayerAnswer = {
  as: 'json',
  playability: { liveStreamability: { liveStreamabilityRenderer: { broadcastId: '1', pollDelayMs: '15000' } } },
  details: { lengthSeconds: '0', isLive: true, isLiveContent: true, isLiveDvrEnabled: true },
  captions: 'none',
}
const ENDED_LIVE: PlayerAnswer = {
  as: 'json',
  playability: { reason: 'This live event has ended.' },
  details: { isLiveContent: true, isPostLiveDvr: true },
  captions: 'none',
}
const TERMINATED =
  'This video is no longer available because the YouTube account associated with this video has been terminated.'
const MEMBERS = 'Join this channel to get access to members-only content like this video, and other exclusive perks.'
const START = '2099-01-01T18:00:00Z'

/** Videos without a transcript: unavailable, live or without captions. */
export const UNAVAILABLE_VIDEOS = {
  private: buildTeaVideo('priv', 'A private cup of tea', 'Private', ({ client }) => refusePrivate(client)),
  removed: buildTeaVideo(
    'remo',
    'A removed cup of tea',
    'Removed by its uploader',
    refuse('ERROR', 'This video has been removed by the uploader', null),
  ),
  terminated: buildTeaVideo(
    'term',
    'Tea of a closed account',
    'Its account was terminated',
    refuse('ERROR', TERMINATED, null),
  ),
  ageRestricted: buildTeaVideo('agey', 'Tea for grown-ups', 'Age restricted', ({ client }) => refuseUnderAge(client)),
  membersOnly: buildTeaVideo('memb', 'Tea for members', 'For members of its channel', refuse('UNPLAYABLE', MEMBERS)),
  paid: buildTeaVideo(
    'paid',
    'Expensive tea',
    'Requires payment',
    refuse('UNPLAYABLE', 'This video requires payment to watch.'),
  ),
  geoBlocked: buildTeaVideo('geob', 'Local tea', 'Blocked in this country', ({ client }) => refuseCountry(client)),
  liveNow: buildTeaVideo('live', 'Tea, live', 'Currently live', LIVE_NOW),
  upcomingLive: buildTeaVideo(
    'upco',
    'Tea, live, later',
    'A live stream that has not started',
    offline('This live event will begin in 3 hours.', 'Live in 3 hours', START),
  ),
  upcomingPremiere: buildTeaVideo(
    'prem',
    'Tea: the premiere',
    'A premiere that has not started',
    offline('Premieres in 2 days', 'Premieres in 2 days', START),
  ),
  endedLive: buildTeaVideo(
    'ende',
    'Tea, no longer live',
    'A live stream that has ended and has no captions yet',
    ENDED_LIVE,
  ),
  processing: buildTeaVideo('proc', 'Tea, still brewing', 'Is still being processed', PROCESSING),
  noCaptions: buildTeaVideo('noca', 'Silent tea', 'Plays and has no captions', { as: 'json', captions: 'none' }),
  emptyCaptions: buildTeaVideo('empt', 'Nearly silent tea', 'Has a caption block without tracks', {
    as: 'json',
    captions: 'empty',
  }),
} as const satisfies Record<string, SampleVideo>

/** A parser that builds the nested arrays needs megabytes for them. */
const MANY_BRACKETS = 100_000
const LANGUAGES =
  'af ar bg bn ca cs da de el en-GB es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt-BR ro ru sv th tr'.split(
    ' ',
  )
/** 35 manual tracks and an auto-generated one, in the platform's order. */
const MANY_TRACKS: SampleTrack[] = [
  ...LANGUAGES.map((language): SampleTrack => ({ language, kind: 'manual', name: language, cues: () => TEA.cues })),
  TEA_TRACKS[1],
]

const GERMAN: SampleTrack = { language: 'de', kind: 'manual', name: 'Deutsch', cues: () => TEA.cues }
const GERMAN_DUB: SampleTrack = { ...TEA_TRACKS[1], language: 'de-DE', name: 'German (auto-generated)', role: 'dub' }
const FORCED: SampleTrack = {
  ...{ language: 'en', kind: 'manual', name: 'English (forced)', role: 'forced' },
  cues: () => TEA.cues.slice(3, 4),
}

/** Videos protected by the platform against automated access, or whose requests fail. */
export const GUARDED_VIDEOS = {
  botCheckAlways: buildTeaVideo('bota', 'Tea for humans', 'Every player request meets the bot check', BOT_CHECK),
  botCheckAtFirst: buildTeaVideo(
    'botf',
    'Tea for the patient',
    'The first two player requests meet the bot check',
    ({ nth }) => (nth <= 2 ? BOT_CHECK : PLAYS),
  ),
  botCheckFirstSession: buildTeaVideo(
    'bots',
    'Tea for the second guest',
    'The first session meets the bot check, others do not',
    ({ session }) => (session === 1 ? BOT_CHECK : PLAYS),
  ),
  botCheckYoungSession: buildTeaVideo(
    'boty',
    'Tea for regulars',
    'The first three player requests of every session meet the bot check',
    ({ nthInSession }) => (nthInSession <= 3 ? BOT_CHECK : PLAYS),
  ),
  signInAlways: buildTeaVideo('sign', 'Tea for guests we know', 'Every player request is asked to sign in', SIGN_IN),
  captchaAlways: buildTeaVideo('capt', 'Tea behind a puzzle', 'Always 429 with a CAPTCHA page', CAPTCHA),
  serverErrorAlways: buildTeaVideo('5xxe', 'Spilt tea', 'Always 503', BACKEND_ERROR),
  refusesAndroid: buildTeaVideo(
    'rand',
    'Tea, but not on that phone',
    'The ANDROID client is refused, others play',
    ({ client }) => (client === 'ANDROID' ? UNAVAILABLE_ON_CLIENT : PLAYS),
  ),
  playsInReelOnly: buildTeaVideo('reel', 'Tea, upright', 'Plays through the reel route only', ({ endpoint }) =>
    endpoint === 'reel' ? PLAYS : UNAVAILABLE_ON_CLIENT,
  ),
  decoyForAndroid: buildTeaVideo('deco', 'Tea, not coffee', 'The ANDROID client gets another video', ({ client }) =>
    client === 'ANDROID' ? { as: 'json', decoy: OCEAN_FLOOR } : PLAYS,
  ),
  gatedForAndroid: buildTeaVideo(
    'xpea',
    'Tea with a ticket',
    'Caption URLs of the ANDROID client contain exp=xpe',
    PLAYS,
    {
      tracks: TEA_TRACKS.map((track) => ({ ...track, gatedFor: ['ANDROID'] })),
    },
  ),
  gatedForAll: buildTeaVideo(
    'xpeb',
    'Tea with a ticket for everybody',
    'Caption URLs of all clients contain exp=xpe',
    PLAYS,
    {
      tracks: TEA_TRACKS.map((track) => ({ ...track, gatedFor: 'all' as const })),
    },
  ),
  captionsWithheld: buildTeaVideo('with', 'An empty cup', 'Caption URLs look valid and return an empty body', PLAYS, {
    tracks: TEA_TRACKS.map((track) => ({ ...track, body: '' })),
  }),
  emptyDocument: buildTeaVideo('magi', 'An empty pot', 'Caption URLs return an empty document', PLAYS, {
    tracks: TEA_TRACKS.map((track) => ({ ...track, body: '{"wireMagic":"pb3"}' })),
  }),
  unreadable: buildTeaVideo('nest', 'Cups within cups', 'Captions are nested brackets', PLAYS, {
    tracks: TEA_TRACKS.map((track) => ({ ...track, body: '['.repeat(MANY_BRACKETS) })),
  }),
  styledHidden: buildTeaVideo(
    'styl',
    'Tea in fine letters',
    'The ANDROID client does not get the manual track',
    PLAYS,
    {
      tracks: [{ ...TEA_TRACKS[0], hiddenFrom: ['ANDROID'] }, TEA_TRACKS[1]],
    },
  ),
  styledHiddenBehindGerman: buildTeaVideo(
    'stde',
    'Tee in schönen Lettern',
    'The ANDROID client gets a manual track, but not the one in the spoken language',
    PLAYS,
    {
      tracks: [GERMAN, { ...TEA_TRACKS[0], hiddenFrom: ['ANDROID'] }, TEA_TRACKS[1]],
    },
  ),
  foreignManual: buildTeaVideo(
    'fman',
    'Tea with foreign letters',
    'Only its automatic track is in the spoken language',
    PLAYS,
    {
      tracks: [GERMAN, TEA_TRACKS[1]],
    },
  ),
  dubbed: buildTeaVideo('dubs', 'Tea in other mouths', 'Dubbed by a machine into two languages', PLAYS, {
    tracks: [GERMAN_DUB, { ...GERMAN_DUB, language: 'fr-FR' }, TEA_TRACKS[1]],
  }),
  dubbedOnly: buildTeaVideo('dubo', 'Tea in one other mouth', 'Has captions of dubbed audio only', PLAYS, {
    tracks: [GERMAN_DUB],
  }),
  forced: buildTeaVideo('forc', 'Tea and one word of French', 'Has a track with a few lines only', PLAYS, {
    tracks: [FORCED, TEA_TRACKS[1]],
  }),
  webOnly: buildTeaVideo(
    'webo',
    'Tea at the desk',
    'Plays in the web player only, which needs a token and its version',
    ({ client, hasToken, hasTimestamp }) =>
      client !== 'WEB'
        ? UNAVAILABLE_ON_CLIENT
        : !hasToken
          ? RELOAD
          : hasTimestamp
            ? PLAYS
            : { as: 'json', captions: 'none' },
  ),
  preconditionForAndroid: buildTeaVideo('prec', 'Tea on condition', 'The ANDROID client gets 400', ({ client }) =>
    client === 'ANDROID' ? PRECONDITION : PLAYS,
  ),
  tiredSession: buildTeaVideo(
    'tire',
    'Tea without end',
    'From its fourth request on, a session is asked to try again later',
    ({ nthInSession }) => (nthInSession > 3 ? RATE_LIMITED : PLAYS),
  ),
  formless: buildTeaVideo('form', 'Tea in another cup', 'Answers without a playability status', FORMLESS),
  unknownState: buildTeaVideo('newx', 'Tea of tomorrow', 'Answers with an unknown status', UNKNOWN_STATE),
  manyTracks: buildTeaVideo('many', 'Tea in 36 languages', 'Has 36 caption tracks', PLAYS, { tracks: MANY_TRACKS }),
  truncatedJson: buildTeaVideo('trun', 'Half a cup of te', 'Player responses are cut off in the middle', {
    as: 'truncated',
  }),
  hangs: buildTeaVideo('hang', 'Tea that never comes', 'Player requests are never answered', { as: 'hang' }),
} as const satisfies Record<string, SampleVideo>
