import {
  BACKEND_ERROR,
  BOT_CHECK,
  offline,
  PROCESSING,
  refuse,
  refuseCountry,
  refusePrivate,
  refuseUnderAge,
} from '../player-replies.ts'
import type { PlayerReply, SampleVideo } from '../sample-video.ts'
import { TEA_TRACKS } from './tea.ts'
import { buildTeaVideo } from './tea-video.ts'

const LIVE_NOW: PlayerReply = {
  as: 'json',
  playability: { liveStreamability: { liveStreamabilityRenderer: { broadcastId: '1', pollDelayMs: '15000' } } },
  details: { lengthSeconds: '0', isLive: true, isLiveContent: true, isLiveDvrEnabled: true },
  captions: 'none',
}
const ENDED_LIVE: PlayerReply = {
  as: 'json',
  playability: { reason: 'This live event has ended.' },
  details: { isLiveContent: true, isPostLiveDvr: true },
  captions: 'none',
}
const TERMINATED =
  'This video is no longer available because the YouTube account associated with this video has been terminated.'
const MEMBERS = 'Join this channel to get access to members-only content like this video, and other exclusive perks.'
const START = '2099-01-01T18:00:00Z'

/** A parser that builds the nested arrays needs megabytes for them. */
const MANY_BRACKETS = 100_000

/** Videos without a transcript: unavailable, live, without captions, or guarded against robots at all times. */
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
  offlineLive: buildTeaVideo(
    'offl',
    'Tea, live, interrupted',
    'A live stream that is offline',
    refuse('LIVE_STREAM_OFFLINE', 'This live stream is offline.'),
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
  unreadable: buildTeaVideo(
    'nest',
    'Cups within cups',
    'Captions are nested brackets',
    { as: 'json' },
    {
      tracks: TEA_TRACKS.map((track) => ({ ...track, body: '['.repeat(MANY_BRACKETS) })),
    },
  ),
  botCheckAlways: buildTeaVideo('bota', 'Tea for humans', 'Every player request meets the bot check', BOT_CHECK),
  serverErrorAlways: buildTeaVideo('5xxe', 'Spilt tea', 'Always 503', BACKEND_ERROR),
} as const satisfies Record<string, SampleVideo>
