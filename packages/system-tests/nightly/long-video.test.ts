import { useTestSystem } from '@subtext/standalone/testing'
import { testLongVideo } from '../src/plain/long-video.ts'

describe('a video of ten hours', () => testLongVideo(useTestSystem(), 10))
