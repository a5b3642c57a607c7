import { SAMPLE_TALKS } from '@subtext/sample-platform'
import { type SampleVideo, UNAVAILABLE_VIDEOS } from '@subtext/sample-platform/protocol'
import { longVideo } from './long-video.ts'
import { GUARDED_VIDEOS } from './videos/guarded.ts'
import { HOSTILE } from './videos/hostile.ts'

/** Every video on a new platform: those of the product, and more that only tests need. Any other ID belongs to no video. */
export const SAMPLE_VIDEOS = {
  ...SAMPLE_TALKS,
  ...UNAVAILABLE_VIDEOS,
  ...GUARDED_VIDEOS,
  hostile: HOSTILE,
  tenHours: longVideo({ id: 'sbtx-l-ten0', hours: 10 }),
} as const satisfies Record<string, SampleVideo>
