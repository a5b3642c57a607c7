import { longVideo, startVideoPlatform } from '@subtext/fakes'
import { answerQuestions } from './child-process.ts'

/** The sample platform with a recognised track of each of these hours; answers its origin. */
async function start(hours: number[]): Promise<string> {
  const platform = await startVideoPlatform()
  for (const [index, length] of hours.entries())
    platform.addVideo(longVideo({ id: `sbtx-bench${index}`, hours: length }))
  return platform.origin
}

answerQuestions({ start })
