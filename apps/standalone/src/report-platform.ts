import { canonicalVideoUrl } from '@subtext/core/videos'
import { PlatformEnv } from '@subtext/worker/env'
import type { Settings } from './env.ts'

const TIMEOUT_MS = 10_000
const SAMPLE = canonicalVideoUrl('sbtx-en-map')

/**
 * Prints one line if the video platform cannot be reached, and points to the sample videos, so that nobody waits for a job that
 * cannot succeed. Never rejects.
 */
export async function reportPlatform(given: Settings, origin: string, say: (text: string) => void): Promise<void> {
  try {
    const { YOUTUBE_ORIGIN, PROXY_URLS = [], SAMPLE_VIDEOS } = PlatformEnv.parse(given)
    // Loaded once the service is ready, since nothing else here needs an HTTP client.
    const { findPlatformProblem } = await import('@subtext/youtube/reachability')
    const problem = await findPlatformProblem({ origin: YOUTUBE_ORIGIN, proxyUrls: PROXY_URLS, timeoutMs: TIMEOUT_MS })
    if (problem === null) return
    const advice = SAMPLE_VIDEOS
      ? `Sample videos work without it, such as ${SAMPLE}; for all of them, see ${origin}/api/v1/docs.`
      : 'With SAMPLE_VIDEOS=true there are sample videos that work without it.'
    say(`The video platform cannot be reached (${problem}). ${advice}`)
  } catch (error) {
    say(`Whether the video platform can be reached is unknown: ${(error as Error).message}`)
  }
}
