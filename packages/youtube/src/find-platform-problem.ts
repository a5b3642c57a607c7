import { describeNetworkError } from '@subtext/runtime'
import { fetch, ProxyAgent } from 'undici'
import { PLATFORM } from './session/platform-address.ts'

interface ProbeOptions {
  /** Origin that replaces the platform. */
  origin?: string
  proxyUrls: string[]
  timeoutMs: number
}

/** A page of the platform without content, made for checks like this one. */
const PATH = '/generate_204'
/** Checking a few proxies is enough, however many there are. */
const MAX_PROXIES = 3

/**
 * Returns a short reason why the platform cannot be reached, directly or through any proxy, or null if it can. Any reply
 * counts: this does not show whether the platform would refuse requests for videos.
 */
export async function findPlatformProblem({
  origin = PLATFORM,
  proxyUrls,
  timeoutMs,
}: ProbeOptions): Promise<string | null> {
  const ask = async (proxyUrl?: string): Promise<void> => {
    const dispatcher = proxyUrl === undefined ? undefined : new ProxyAgent({ uri: proxyUrl })
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(new URL(PATH, origin), { dispatcher, signal, redirect: 'manual' })
      await response.body?.cancel()
    } finally {
      await dispatcher?.destroy()
    }
  }
  const attempts = await Promise.allSettled([ask(), ...proxyUrls.slice(0, MAX_PROXIES).map(ask)])
  const [direct] = attempts
  return direct?.status === 'rejected' && attempts.every(({ status }) => status === 'rejected')
    ? describeNetworkError(direct.reason)
    : null
}
