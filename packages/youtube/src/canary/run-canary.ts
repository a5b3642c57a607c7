import { ServiceError } from '@subtext/contracts'
import type { PlatformClient } from '../clients.ts'
import { type PlatformMonitor, SILENT_MONITOR } from '../monitor.ts'
import type { TokenProvider } from '../token-provider.ts'
import { createYoutubeSource } from '../youtube-source.ts'

export interface CanarySettings {
  videoId: string
  origin?: string
  proxyUrls: string[]
  clients: PlatformClient[]
  tokens?: TokenProvider
  /** Milliseconds for one probe. */
  budgetMs?: number
}

/** What one client got over one way out. */
export interface Probe {
  /** `direct`, `proxy_1`, ...: no address, which may hold a password. */
  exit: string
  client: string
  version: string | null
  works: boolean
  milliseconds: number
  tracks: number
  /** Lines of the first track. */
  lines: number
  /** Of the error; null where it works. */
  code: string | null
  /** Why the platform was not satisfied, as in the metric `subtext_platform_attempts_total`. */
  why: string | null
}

export interface CanaryReport {
  checked_at: string
  video_id: string
  /** Some client gets captions over every way out. */
  works: boolean
  probes: Probe[]
}

const PROBE_MS = 30_000

const probe = async (
  settings: CanarySettings,
  exit: string,
  proxyUrl: string | null,
  client: PlatformClient,
): Promise<Probe> => {
  const { videoId, origin, tokens, budgetMs = PROBE_MS } = settings
  let why: string | null = null
  const countAttempt: PlatformMonitor['countAttempt'] = ({ outcome }) => {
    why = outcome
  }
  const source = createYoutubeSource({
    ...{ origin, tokens, budgetMs, clients: [client] },
    proxyUrls: proxyUrl === null ? [] : [proxyUrl],
    monitor: { ...SILENT_MONITOR, countAttempt },
  })
  const startedAt = performance.now()
  const result = { exit, client: client.name, version: client.version ?? null, tracks: 0, lines: 0 }
  const end = (works: boolean, code: string | null): Probe => ({
    ...{ ...result, works, code, why: works ? null : why },
    milliseconds: Math.round(performance.now() - startedAt),
  })
  try {
    const signal = AbortSignal.timeout(2 * budgetMs)
    const video = await source.fetchVideo(videoId, { useProxy: proxyUrl !== null, signal })
    result.tracks = video.tracks.length
    const [track] = video.tracks
    if (track) result.lines = (await video.fetchTranscript(track)).cues.length
    return end(result.lines > 0, null)
  } catch (error) {
    return end(false, error instanceof ServiceError ? error.code : 'INTERNAL_ERROR')
  }
}

/** Asks as every client over every way out, one after the other, as gently as a single viewer would. */
export const runCanary = async (settings: CanarySettings): Promise<CanaryReport> => {
  const exits: [string, string | null][] = [
    ['direct', null],
    ...settings.proxyUrls.map((url, index): [string, string] => [`proxy_${index + 1}`, url]),
  ]
  const probes: Probe[] = []
  for (const [exit, url] of exits) {
    for (const client of settings.clients) {
      if (client.name === 'WEB' && !settings.tokens) continue
      probes.push(await probe(settings, exit, url, client))
    }
  }
  return {
    checked_at: new Date().toISOString(),
    video_id: settings.videoId,
    works: exits.every(([exit]) => probes.some((one) => one.exit === exit && one.works)),
    probes,
  }
}

/** For people: a line for each probe, and what it means. */
export const describeCanary = ({ video_id, works, probes }: CanaryReport): string => {
  const lines = probes.map((one) => {
    const name = one.version === null ? one.client : `${one.client}@${one.version}`
    const outcome = one.works ? `${one.tracks} tracks, ${one.lines} lines` : `${one.code} (${one.why ?? 'no answer'})`
    return `${one.exit.padEnd(10)}${name.padEnd(24)}${one.works ? 'works ' : 'FAILS '} ${String(one.milliseconds).padStart(6)} ms  ${outcome}`
  })
  const verdict = works ? 'Captions can be had over every way out.' : 'Over some way out no client gets captions.'
  return [`Video ${video_id}`, ...lines, verdict].join('\n')
}
