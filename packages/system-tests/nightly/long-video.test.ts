import { useTestSystem } from '@subtext/testbed'
import { testLongVideo } from '../src/plain/long-video.ts'

describe('a video of ten hours', () => testLongVideo(useTestSystem(), 10))
