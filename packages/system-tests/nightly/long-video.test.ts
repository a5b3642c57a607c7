import { useTestSystem } from '@subtext/testbed'
import { testLongVideo } from '../src/plain/long-video.ts'

testLongVideo(useTestSystem(), 10)
