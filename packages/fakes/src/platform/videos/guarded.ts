import {
  BOT_CHECK,
  buildTeaVideo,
  CAPTCHA,
  FORMLESS,
  OCEAN_FLOOR,
  type PlayerReply,
  PRECONDITION,
  RATE_LIMITED,
  RELOAD,
  type SampleTrack,
  type SampleVideo,
  SIGN_IN,
  TEA,
  TEA_TRACKS,
  UNAVAILABLE_ON_CLIENT,
  UNKNOWN_STATE,
} from '@subtext/sample-platform/protocol'

const PLAYS: PlayerReply = { as: 'json' }

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
  language: 'en',
  kind: 'manual',
  name: 'English (forced)',
  role: 'forced',
  cues: () => TEA.cues.slice(3, 4),
}

/** Videos protected by the platform against automated access, or whose requests fail. */
export const GUARDED_VIDEOS = {
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
  emptyManual: buildTeaVideo('empm', 'A pot without tea', 'Its manual track has no cues', PLAYS, {
    tracks: [{ ...TEA_TRACKS[0], body: '{"wireMagic":"pb3","events":[]}' }, TEA_TRACKS[1]],
  }),
  soundsOnly: buildTeaVideo('soun', 'The sound of tea', 'Its manual track has no words', PLAYS, {
    tracks: [
      { ...TEA_TRACKS[0], body: '{"events":[{"tStartMs":0,"dDurationMs":9000,"segs":[{"utf8":"[Music]"}]}]}' },
      TEA_TRACKS[1],
    ],
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
  formless: buildTeaVideo('form', 'Tea in another cup', 'Replies without a playability status', FORMLESS),
  unknownState: buildTeaVideo('newx', 'Tea of tomorrow', 'Replies with an unknown status', UNKNOWN_STATE),
  manyTracks: buildTeaVideo('many', 'Tea in 36 languages', 'Has 36 caption tracks', PLAYS, { tracks: MANY_TRACKS }),
  truncatedJson: buildTeaVideo('trun', 'Half a cup of te', 'Player responses are cut off in the middle', {
    as: 'truncated',
  }),
  hangs: buildTeaVideo('hang', 'Tea that never comes', 'Player requests are never answered', { as: 'hang' }),
} as const satisfies Record<string, SampleVideo>
