import { longVideo } from './long-video.ts'
import type { SampleVideo } from './sample-video.ts'
import { BEES } from './videos/bees.ts'
import { BREAD } from './videos/bread.ts'
import { GUARDED_VIDEOS, UNAVAILABLE_VIDEOS } from './videos/difficult.ts'
import { HOSTILE } from './videos/hostile.ts'
import { KIMCHI } from './videos/kimchi.ts'
import { OCEAN_FLOOR } from './videos/ocean-floor.ts'
import { PAPER } from './videos/paper.ts'
import { POTATO } from './videos/potato.ts'
import { SOLAR_TERMS } from './videos/solar-terms.ts'
import { SUNSET } from './videos/sunset.ts'
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

/** Every video on a new platform. Any other id belongs to no video. */
export const SAMPLE_VIDEOS = {
  ...SAMPLE_TALKS,
  ...UNAVAILABLE_VIDEOS,
  ...GUARDED_VIDEOS,
  hostile: HOSTILE,
  tenHours: longVideo({ id: 'sbtx-l-ten0', hours: 10 }),
} as const satisfies Record<string, SampleVideo>

/** An id that belongs to no video. */
export const UNKNOWN_VIDEO_ID = 'sbtx-x-none'
