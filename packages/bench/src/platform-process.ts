import { longVideo, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { handleCalls } from './child-process.ts'

export interface VideoSeries {
  /** The 11 characters of each ID end with the number of the video. */
  prefix: string
  count: number
  hours: number
}

let platform: VideoPlatform | undefined

/** Starts the fake platform with an auto-generated track of each length in hours. Returns its origin. */
async function start(hours: number[]): Promise<string> {
  platform = await startVideoPlatform()
  for (const [index, length] of hours.entries())
    platform.addVideo(longVideo({ id: `sbtx-bench${index}`, hours: length }))
  return platform.origin
}

/** Adds videos of the same length. Returns their IDs. */
async function addSeries({ prefix, count, hours }: VideoSeries): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, nth) => prefix + String(nth).padStart(11 - prefix.length, '0'))
  for (const id of ids) platform?.addVideo(longVideo({ id, hours }))
  return ids
}

handleCalls({ start, addSeries })
