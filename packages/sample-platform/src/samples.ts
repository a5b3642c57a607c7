import { createLectures } from './lectures.ts'
import type { SampleVideo } from './sample-video.ts'
import { BEES } from './videos/bees.ts'
import { BREAD } from './videos/bread.ts'
import { KIMCHI } from './videos/kimchi.ts'
import { OCEAN_FLOOR } from './videos/ocean-floor.ts'
import { PAPER } from './videos/paper.ts'
import { POTATO } from './videos/potato.ts'
import { SOLAR_TERMS } from './videos/solar-terms.ts'
import { SUNSET } from './videos/sunset.ts'
import { UNAVAILABLE_VIDEOS } from './videos/unavailable.ts'
import { ZERO } from './videos/zero.ts'

/** One talk for each language that the service supports. */
export const SAMPLE_TALKS = {
  english: OCEAN_FLOOR,
  spanish: POTATO,
  french: BREAD,
  german: BEES,
  portuguese: SUNSET,
  japanese: PAPER,
  korean: KIMCHI,
  chinese: SOLAR_TERMS,
  hindi: ZERO,
} as const satisfies Record<string, SampleVideo>

/** An ID that belongs to no video. */
export const UNKNOWN_VIDEO_ID = 'sbtx-x-none'

/** A video that every installation can process, for documentation. */
export interface Sample {
  id: string
  title: string
  /** BCP-47. */
  language: string
  /** What it is a sample of. */
  shows: string
  /** The error of its jobs, if they fail. */
  error?: { code: string; reason?: string }
}

type UnavailableName = keyof typeof UNAVAILABLE_VIDEOS

const ERRORS: Record<UnavailableName, NonNullable<Sample['error']>> = {
  private: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'private' },
  removed: { code: 'VIDEO_UNAVAILABLE' },
  terminated: { code: 'VIDEO_UNAVAILABLE' },
  ageRestricted: { code: 'AGE_RESTRICTED' },
  membersOnly: { code: 'VIDEO_NOT_ACCESSIBLE', reason: 'members' },
  paid: { code: 'VIDEO_NOT_ACCESSIBLE', reason: 'payment' },
  geoBlocked: { code: 'GEO_BLOCKED' },
  liveNow: { code: 'LIVE_NOT_ENDED', reason: 'live' },
  upcomingLive: { code: 'LIVE_NOT_ENDED', reason: 'upcoming' },
  upcomingPremiere: { code: 'LIVE_NOT_ENDED', reason: 'upcoming' },
  offlineLive: { code: 'LIVE_NOT_ENDED', reason: 'offline' },
  endedLive: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'not_yet_captioned' },
  processing: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'not_yet_captioned' },
  noCaptions: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'no_captions' },
  emptyCaptions: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'no_captions' },
  unreadable: { code: 'TRANSCRIPT_UNAVAILABLE', reason: 'unreadable' },
  botCheckAlways: { code: 'UPSTREAM_BLOCKED' },
  serverErrorAlways: { code: 'UPSTREAM_UNAVAILABLE' },
}

const describe = ({ id, title, language, purpose }: SampleVideo): Sample => ({ id, title, language, shows: purpose })

/** Every sample video: first a talk in each language, then one for each way in which a video can fail. */
export const SAMPLES: readonly Sample[] = [
  ...Object.values(SAMPLE_TALKS).map(describe),
  ...Object.entries(UNAVAILABLE_VIDEOS).map(([name, video]) => ({
    ...describe(video),
    error: ERRORS[name as UnavailableName],
  })),
  {
    id: UNKNOWN_VIDEO_ID,
    title: 'Tea that nobody has made',
    language: 'en',
    shows: 'Has never existed',
    error: { code: 'VIDEO_UNAVAILABLE' },
  },
]

const VIDEOS: ReadonlyMap<string, SampleVideo> = new Map(
  [...Object.values(SAMPLE_TALKS), ...Object.values(UNAVAILABLE_VIDEOS)].map((video) => [video.id, video]),
)

/** The sample channel and the sample playlist. */
export const LECTURES = createLectures(Object.values(SAMPLE_TALKS))

/** Returns the sample video with this ID, if there is one. */
export const findSampleVideo = (id: string): SampleVideo | undefined => VIDEOS.get(id) ?? LECTURES.find(id, Date.now())
