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
  /** Milliseconds for all requests of a probe. */
  budgetMs?: number
}

/** What one client got through one egress. */
export interface Probe {
  /** Name of the egress: `direct`, `proxy_1`, ... Contains no address, which may include a password. */
  exit: string
  client: string
  version: string | null
  works: boolean
  milliseconds: number
  tracks: number
  /** Lines of the first track. */
  lines: number
  /** Code of the error; null if the client works. */
  code: string | null
  /** Why the platform refused, as in the metric `subtext_platform_attempts_total`; null if the client works. */
  why: string | null
}

export interface CanaryReport {
  checked_at: string
  video_id: string
  /** Whether at least one client gets captions through every egress. */
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
    origin,
    tokens,
    budgetMs,
    clients: [client],
    proxyUrls: proxyUrl === null ? [] : [proxyUrl],
    monitor: { ...SILENT_MONITOR, countAttempt },
  })
  const startedAt = performance.now()
  const result = { exit, client: client.name, version: client.version ?? null, tracks: 0, lines: 0 }
  const end = (works: boolean, code: string | null): Probe => ({
    ...result,
    works,
    code,
    why: works ? null : why,
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

/** Probes every client through every egress, one at a time, to cause no more load than a single viewer. */
export const runCanary = async (settings: CanarySettings): Promise<CanaryReport> => {
  const proxies = settings.proxyUrls.map((proxyUrl, index) => ({ name: `proxy_${index + 1}`, proxyUrl }))
  const egresses = [{ name: 'direct', proxyUrl: null }, ...proxies]
  const probes: Probe[] = []
  for (const { name, proxyUrl } of egresses) {
    for (const client of settings.clients) {
      if (client.name === 'WEB' && !settings.tokens) continue
      probes.push(await probe(settings, name, proxyUrl, client))
    }
  }
  return {
    checked_at: new Date().toISOString(),
    video_id: settings.videoId,
    works: egresses.every(({ name }) => probes.some(({ exit, works }) => exit === name && works)),
    probes,
  }
}

/** Describes a report to people: one line for each probe, then what they mean together. */
export const describeCanary = ({ video_id, works, probes }: CanaryReport): string => {
  const lines = probes.map((probe) => {
    const { exit, client, version, milliseconds, tracks, code, why } = probe
    const name = version === null ? client : `${client}@${version}`
    const outcome = probe.works ? `${tracks} tracks, ${probe.lines} lines` : `${code} (${why ?? 'no response'})`
    const label = probe.works ? 'works ' : 'FAILS '
    return `${exit.padEnd(10)}${name.padEnd(24)}${label} ${String(milliseconds).padStart(6)} ms  ${outcome}`
  })
  const conclusion = works
    ? 'Captions are available through every egress.'
    : 'Through at least one egress, no client gets captions.'
  return [`Video ${video_id}`, ...lines, conclusion].join('\n')
}
