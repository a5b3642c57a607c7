import type { PlayerAnswer, PlayerRequest, SampleTrack, SampleVideo } from '../sample-video.ts'
import {
  BACKEND_ERROR,
  BOT_CHECK,
  CAPTCHA,
  offline,
  PRECONDITION,
  RATE_LIMITED,
  RELOAD,
  refuse,
  refuseCountry,
  refusePrivate,
  refuseUnderAge,
  UNAVAILABLE_ON_CLIENT,
  UNKNOWN_STATE,
} from '../verdicts.ts'
import { OCEAN_FLOOR } from './ocean-floor.ts'
import { TEA, TEA_TRACKS } from './tea.ts'

const PLAYS: PlayerAnswer = { as: 'json' }

type Changes = Partial<Omit<SampleVideo, 'id' | 'title' | 'purpose' | 'play'>>

/** `name` is four characters of the id. */
function difficult(
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

/** Videos that cannot be had at all. */
export const REFUSED_VIDEOS = {
  private: difficult('priv', 'A private cup of tea', 'Private', ({ client }) => refusePrivate(client)),
  removed: difficult(
    'remo',
    'A removed cup of tea',
    'Removed by its uploader',
    refuse('ERROR', 'This video has been removed by the uploader', null),
  ),
  terminated: difficult(
    'term',
    'Tea of a closed account',
    'Its account was terminated',
    refuse('ERROR', TERMINATED, null),
  ),
  ageRestricted: difficult('agey', 'Tea for grown-ups', 'Age restricted', ({ client }) => refuseUnderAge(client)),
  membersOnly: difficult('memb', 'Tea for members', 'For members of its channel', refuse('UNPLAYABLE', MEMBERS)),
  paid: difficult(
    'paid',
    'Expensive tea',
    'Has to be paid for',
    refuse('UNPLAYABLE', 'This video requires payment to watch.'),
  ),
  geoBlocked: difficult('geob', 'Local tea', 'Blocked in this country', ({ client }) => refuseCountry(client)),
  liveNow: difficult('live', 'Tea, live', 'Live at the moment', LIVE_NOW),
  upcomingLive: difficult(
    'upco',
    'Tea, live, later',
    'A live stream that has not begun',
    offline('This live event will begin in 3 hours.', 'Live in 3 hours', START),
  ),
  upcomingPremiere: difficult(
    'prem',
    'Tea: the premiere',
    'A premiere that has not begun',
    offline('Premieres in 2 days', 'Premieres in 2 days', START),
  ),
  endedLive: difficult(
    'ende',
    'Tea, no longer live',
    'A live stream that has ended and has no captions yet',
    ENDED_LIVE,
  ),
  noCaptions: difficult('noca', 'Silent tea', 'Plays and has no captions', { as: 'json', captions: 'none' }),
  emptyCaptions: difficult('empt', 'Nearly silent tea', 'Has a caption block without tracks', {
    as: 'json',
    captions: 'empty',
  }),
} as const satisfies Record<string, SampleVideo>

const LANGUAGES =
  'af ar bg bn ca cs da de el en-GB es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt-BR ro ru sv th tr'.split(
    ' ',
  )
/** 35 manual ones and an automatic one, the way the platform orders them. */
const MANY_TRACKS: SampleTrack[] = [
  ...LANGUAGES.map((language): SampleTrack => ({ language, kind: 'manual', name: language, cues: () => TEA.cues })),
  TEA_TRACKS[1],
]

/** Videos that the platform guards, or that its machinery fails on. */
export const GUARDED_VIDEOS = {
  botCheckAlways: difficult('bota', 'Tea for humans', 'Always asks whether a robot is asking', BOT_CHECK),
  botCheckAtFirst: difficult(
    'botf',
    'Tea for the patient',
    'The first two player requests meet the bot check',
    ({ nth }) => (nth <= 2 ? BOT_CHECK : PLAYS),
  ),
  botCheckFirstSession: difficult(
    'bots',
    'Tea for the second guest',
    'The first session that asks meets the bot check, others do not',
    ({ session }) => (session === 1 ? BOT_CHECK : PLAYS),
  ),
  botCheckYoungSession: difficult(
    'boty',
    'Tea for regulars',
    'The first three player requests of every session meet the bot check',
    ({ nthInSession }) => (nthInSession <= 3 ? BOT_CHECK : PLAYS),
  ),
  captchaAlways: difficult('capt', 'Tea behind a puzzle', 'Always 429 with a CAPTCHA page', CAPTCHA),
  serverErrorAlways: difficult('5xxe', 'Spilt tea', 'Always 503', BACKEND_ERROR),
  refusesAndroid: difficult(
    'rand',
    'Tea, but not on that phone',
    'The ANDROID client is refused, others play',
    ({ client }) => (client === 'ANDROID' ? UNAVAILABLE_ON_CLIENT : PLAYS),
  ),
  playsInReelOnly: difficult('reel', 'Tea, upright', 'Plays by the reel route alone', ({ endpoint }) =>
    endpoint === 'reel' ? PLAYS : UNAVAILABLE_ON_CLIENT,
  ),
  decoyForAndroid: difficult('deco', 'Tea, not coffee', 'The ANDROID client gets another video', ({ client }) =>
    client === 'ANDROID' ? { as: 'json', decoy: OCEAN_FLOOR } : PLAYS,
  ),
  gatedForAndroid: difficult(
    'xpea',
    'Tea with a ticket',
    'Caption addresses of the ANDROID client carry exp=xpe',
    PLAYS,
    {
      tracks: TEA_TRACKS.map((track) => ({ ...track, gatedFor: ['ANDROID'] })),
    },
  ),
  gatedForAll: difficult(
    'xpeb',
    'Tea with a ticket for everybody',
    'Caption addresses of all clients carry exp=xpe',
    PLAYS,
    {
      tracks: TEA_TRACKS.map((track) => ({ ...track, gatedFor: 'all' as const })),
    },
  ),
  captionsWithheld: difficult('with', 'An empty cup', 'Caption addresses look fine and answer with nothing', PLAYS, {
    tracks: TEA_TRACKS.map((track) => ({ ...track, withheld: true })),
  }),
  emptyDocument: difficult('magi', 'An empty pot', 'Caption addresses answer with a document of nothing', PLAYS, {
    tracks: TEA_TRACKS.map((track) => ({ ...track, withheld: 'document' as const })),
  }),
  styledHidden: difficult('styl', 'Tea in fine letters', 'The ANDROID client is not told of the manual track', PLAYS, {
    tracks: [{ ...TEA_TRACKS[0], hiddenFrom: ['ANDROID'] }, TEA_TRACKS[1]],
  }),
  webOnly: difficult(
    'webo',
    'Tea at the desk',
    'Plays in the web player alone, which needs a token and its version',
    ({ client, hasToken, hasTimestamp }) =>
      client !== 'WEB'
        ? UNAVAILABLE_ON_CLIENT
        : !hasToken
          ? RELOAD
          : hasTimestamp
            ? PLAYS
            : { as: 'json', captions: 'none' },
  ),
  preconditionForAndroid: difficult('prec', 'Tea on condition', 'The ANDROID client gets 400', ({ client }) =>
    client === 'ANDROID' ? PRECONDITION : PLAYS,
  ),
  tiredSession: difficult(
    'tire',
    'Tea without end',
    'A session is told to try again later from its fourth request on',
    ({ nthInSession }) => (nthInSession > 3 ? RATE_LIMITED : PLAYS),
  ),
  unknownState: difficult('newx', 'Tea of tomorrow', 'Answers with a state that nobody knows', UNKNOWN_STATE),
  manyTracks: difficult('many', 'Tea in 36 languages', 'Has 36 caption tracks', PLAYS, { tracks: MANY_TRACKS }),
  truncatedJson: difficult('trun', 'Half a cup of te', 'Player responses end in the middle', { as: 'truncated' }),
  hangs: difficult('hang', 'Tea that never comes', 'Player requests are never answered', { as: 'hang' }),
} as const satisfies Record<string, SampleVideo>
