import { SUMMARY_MODES } from '@subtext/contracts'
import { longVideo, SAMPLE_VIDEOS, type SampleVideo, UNKNOWN_VIDEO_ID, type VideoPlatform } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { ChaosAccount } from './accounts.ts'
import type { Random } from './random.ts'

export interface PlannedRequest {
  path: '/videos/process' | '/batch/process'
  /** Identifies the request in the database: the job's reference, or the batch's webhook URL. */
  reference: string
  body: object
  /** For each job of the request, in order: whether its video is available. */
  available: boolean[]
  cancel: boolean
}

export interface RequestPlanner {
  job(account: ChaosAccount): PlannedRequest
  /** Plans a batch. In the older form of the request, each video has separate instructions and a separate webhook. */
  batch(account: ChaosAccount): PlannedRequest
}

const VIDEO_HOURS = 0.03
/** Number of requests for the newest videos before another video is added. */
const REQUESTS_PER_VIDEO = 4
const RECENT_VIDEOS = 4
const { private: hidden, removed, noCaptions } = SAMPLE_VIDEOS
const UNAVAILABLE_IDS: string[] = [hidden.id, removed.id, noCaptions.id, UNKNOWN_VIDEO_ID]

export function createRequestPlanner(platform: VideoPlatform, receiverOrigin: string, random: Random): RequestPlanner {
  const videos: SampleVideo[] = []
  let planned = 0
  let requested = 0

  const pickVideo = (): { id: string; available: boolean } => {
    if (random.chance(0.06)) return { id: random.pick(UNAVAILABLE_IDS), available: false }
    if (requested++ % REQUESTS_PER_VIDEO === 0) {
      const id = `sbtx-z-${String(videos.length).padStart(4, '0')}`
      const video = longVideo({ id, hours: VIDEO_HOURS, title: `Harbour log ${id}` })
      platform.addVideo(video)
      videos.push(video)
    }
    return { id: random.pick(videos.slice(-RECENT_VIDEOS)).id, available: true }
  }
  const pickModes = () => random.shuffle(SUMMARY_MODES).slice(0, random.integer(1, 4))
  /** Some requests have a limit that their calls reach. */
  const pickLimit = () => (random.chance(0.1) ? { max_cost_usd: random.pick([0, 0.01, 0.03]) } : {})
  /** Most requests get unique instructions, so that most summaries are new. */
  const pickInstructions = (name: string) =>
    random.chance(0.7) ? { custom_instructions: `Write it for ${name}.` } : {}

  return {
    job({ name }) {
      const reference = `${name}/${++planned}`
      const { id, available } = pickVideo()
      const cancel = random.chance(0.03)
      const body = {
        url: watchUrl(id),
        priority: random.chance(0.2) ? 'high' : 'normal',
        options: { summary_modes: pickModes(), ...pickLimit() },
        client_reference: reference,
        // A cancelled job shares its unfinished summaries with no other job.
        ...(cancel ? { custom_instructions: `Never mind ${reference}.` } : pickInstructions(reference)),
        ...(random.chance(0.85) && { webhook_url: `${receiverOrigin}/${name}` }),
      }
      return { path: '/videos/process', reference, body, available: [available], cancel }
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
      const body = { ...entries, webhook_url: webhookUrl, ...pickLimit() }
      return {
        path: '/batch/process',
        reference: webhookUrl,
        body,
        available: chosen.map((video) => video.available),
        cancel: false,
      }
    },
  }
}
