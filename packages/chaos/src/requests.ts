import { SUMMARY_MODES } from '@subtext/contracts'
import { longVideo, SAMPLE_VIDEOS, type SampleVideo, UNKNOWN_VIDEO_ID, type VideoPlatform } from '@subtext/fakes'
import { watchUrl } from '@subtext/server/testing'
import type { Account } from './accounts.ts'
import type { Random } from './random.ts'

export interface PlannedRequest {
  path: '/videos/process' | '/batch/process'
  /** Names the request in the store: the job's reference, or the batch's webhook URL. */
  mark: string
  body: object
  /** Of the jobs it makes, in order: whether the video can be had. */
  healthy: boolean[]
  cancel: boolean
}

export interface RequestPlanner {
  job(account: Account): PlannedRequest
  /** Several videos at once; in the older form each one has instructions and a webhook of its own. */
  batch(account: Account): PlannedRequest
}

const VIDEO_HOURS = 0.03
/** Requests that a new video gets before it is out of fashion. */
const REQUESTS_OF_VIDEO = 4
const VIDEOS_IN_FASHION = 4
const { private: hidden, removed, noCaptions } = SAMPLE_VIDEOS
const UNAVAILABLE_IDS: string[] = [hidden.id, removed.id, noCaptions.id, UNKNOWN_VIDEO_ID]

export function createRequestPlanner(platform: VideoPlatform, receiverOrigin: string, random: Random): RequestPlanner {
  const videos: SampleVideo[] = []
  let planned = 0
  let wanted = 0

  const pickVideo = (): { id: string; healthy: boolean } => {
    if (random.chance(0.06)) return { id: random.pick(UNAVAILABLE_IDS), healthy: false }
    if (wanted++ % REQUESTS_OF_VIDEO === 0) {
      const id = `sbtx-z-${String(videos.length).padStart(4, '0')}`
      const video = longVideo({ id, hours: VIDEO_HOURS, title: `Harbour log ${id}` })
      platform.addVideo(video)
      videos.push(video)
    }
    return { id: random.pick(videos.slice(-VIDEOS_IN_FASHION)).id, healthy: true }
  }
  const pickModes = () => random.shuffle(SUMMARY_MODES).slice(0, random.integer(1, 4))
  /** Mostly of its own, so that most summaries are new. */
  const pickInstructions = (name: string) =>
    random.chance(0.7) ? { custom_instructions: `Write it for ${name}.` } : {}

  return {
    job({ name }) {
      const mark = `${name}/${++planned}`
      const { id, healthy } = pickVideo()
      const cancel = random.chance(0.03)
      const body = {
        url: watchUrl(id),
        priority: random.chance(0.2) ? 'high' : 'normal',
        options: { summary_modes: pickModes() },
        client_reference: mark,
        // What a cancelled job leaves unwritten is nobody else's.
        ...(cancel ? { custom_instructions: `Never mind ${mark}.` } : pickInstructions(mark)),
        ...(random.chance(0.85) && { webhook_url: `${receiverOrigin}/${name}` }),
      }
      return { path: '/videos/process', mark, body, healthy: [healthy], cancel }
    },
    batch({ name }) {
      const webhookUrl = `${receiverOrigin}/${name}/batch-${++planned}`
      const chosen = Array.from({ length: random.integer(2, 6) }, pickVideo)
      const entries = random.chance(0.7)
        ? { videos: chosen.map(({ id }) => ({ url: watchUrl(id), options: { summary_modes: pickModes() } })) }
        : {
            jobs: chosen.map(({ id }, index) => ({
              video_url: watchUrl(id),
              summary_mode: random.pick(SUMMARY_MODES),
              webhook_url: `${receiverOrigin}/${name}`,
              ...pickInstructions(`${name}/${planned}/${index}`),
            })),
          }
      const body = { ...entries, webhook_url: webhookUrl }
      return {
        path: '/batch/process',
        mark: webhookUrl,
        body,
        healthy: chosen.map((video) => video.healthy),
        cancel: false,
      }
    },
  }
}
