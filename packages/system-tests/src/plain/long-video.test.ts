import { testLongVideo } from './long-video.ts'
import { usePlainSystem } from './use-plain-system.ts'

testLongVideo(usePlainSystem(), 2)
