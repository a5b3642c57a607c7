import { longVideo, startVideoPlatform } from '@subtext/fakes'
import { handleCalls } from './child-process.ts'

/** Starts the fake platform with an auto-generated track of each length in hours. Returns its origin. */
async function start(hours: number[]): Promise<string> {
  const platform = await startVideoPlatform()
  for (const [index, length] of hours.entries())
    platform.addVideo(longVideo({ id: `sbtx-bench${index}`, hours: length }))
  return platform.origin
}

handleCalls({ start })
