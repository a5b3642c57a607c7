import { ServiceError } from '@subtext/contracts'
import { appOf, type ClientName, lastWorkedOn, type PlatformClient, selectVersions } from '../clients.ts'
import { type PlatformMonitor, SILENT_MONITOR } from '../monitor.ts'
import type { PlatformDestination } from '../session/transport.ts'
import type { TokenProvider } from '../token-provider.ts'
import { createYoutubeSource } from '../youtube-source.ts'

export interface CanarySettings extends PlatformDestination {
  videoId: string
  proxyUrls: string[]
  clients: PlatformClient[]
  tokens?: TokenProvider
  /** Milliseconds for all requests of a probe. */
  budgetMs?: number
  /** Clock, in epoch milliseconds. */
  now?: () => number
}

/** The result of one client through one egress. */
export interface Probe {
  /**
   * Name of the egress: `direct`, `proxy_1`, ..., or `sample` for the sample platform. Contains no address, which may include
   * a password.
   */
  egress: string
  client: ClientName
  /** Version of its app; null if the platform names it itself. */
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
  /** Whether a response had no playability status, or one that no rule knows. */
  unknown_format: boolean
}

/** The results of one client through all egresses. */
export interface ClientReport {
  client: ClientName
  version: string | null
  /** The last day on which this version was known to work when this release was made; null for a version set by hand. */
  last_worked: string | null
  /** Days since then. */
  age_days: number | null
  /** Names of the egresses through which it gets captions now. */
  working_egresses: string[]
}

export interface CanaryReport {
  checked_at: string
  video_id: string
  /** Whether at least one client gets captions through every egress. */
  works: boolean
  /** Problems that need attention at once: replies in a format that this release does not know. */
  alarms: string[]
  /** Problems that will need attention: versions of apps that the platform may withdraw. */
  warnings: string[]
  clients: ClientReport[]
  probes: Probe[]
}

const PROBE_MS = 30_000
const DAY_MS = 24 * 60 * 60_000
/** The platform has withdrawn versions that were half a year old. */
const MAX_AGE_DAYS = 90

/** Gives each client the version of its app, which all clients of one app share. */
const setVersions = (clients: PlatformClient[]): PlatformClient[] => {
  const versions = selectVersions(clients)
  return clients.map(({ name }) => ({ name, version: versions.get(appOf(name)) }))
}

const probe = async (
  settings: CanarySettings,
  egress: string,
  proxyUrl: string | null,
  client: PlatformClient,
): Promise<Probe> => {
  const { videoId, origin, fetch, tokens, budgetMs = PROBE_MS } = settings
  const result = {
    egress,
    client: client.name,
    version: client.version ?? null,
    tracks: 0,
    lines: 0,
    unknown_format: false,
  }
  let why: string | null = null
  const noteUnknownFormat = () => void Object.assign(result, { unknown_format: true })
  const monitor: PlatformMonitor = {
    ...SILENT_MONITOR,
    countAttempt({ outcome }) {
      why = outcome
    },
    countUnknownState: noteUnknownFormat,
    countMissingState: noteUnknownFormat,
  }
  const proxyUrls = proxyUrl === null ? [] : [proxyUrl]
  const source = createYoutubeSource({ origin, fetch, tokens, budgetMs, clients: [client], proxyUrls, monitor })
  const startedAt = performance.now()
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

const reportClients = (clients: PlatformClient[], probes: Probe[], now: number): ClientReport[] => {
  return clients.map(({ name, version = null }) => {
    const lastWorked = lastWorkedOn(name, version)
    return {
      client: name,
      version,
      last_worked: lastWorked,
      // The website's version is always current.
      age_days: lastWorked === null || version === null ? null : Math.floor((now - Date.parse(lastWorked)) / DAY_MS),
      working_egresses: probes.filter(({ client, works }) => client === name && works).map(({ egress }) => egress),
    }
  })
}

const listAlarms = (probes: Probe[]): string[] =>
  probes
    .filter((one) => one.unknown_format)
    .map(
      ({ client, egress }) =>
        `${client} through ${egress}: the response has no playability status, or an unknown one. The platform has changed its format, or something on the way replies in its place.`,
    )

const listWarnings = (clients: ClientReport[]): string[] =>
  clients
    .filter(({ age_days }) => age_days !== null && age_days > MAX_AGE_DAYS)
    .map(
      ({ client, version, age_days, last_worked }) =>
        `${client}@${version} is old: it was last known to work ${age_days} days ago, on ${last_worked}. Update Subtext, or set a current version in YOUTUBE_CLIENTS.`,
    )

/** Probes every client through every egress, one at a time, to cause no more load than a single viewer. */
export const runCanary = async (settings: CanarySettings): Promise<CanaryReport> => {
  const { now = Date.now, tokens } = settings
  const proxies = settings.proxyUrls.map((proxyUrl, index) => ({ name: `proxy_${index + 1}`, proxyUrl }))
  const egresses = [{ name: settings.fetch ? 'sample' : 'direct', proxyUrl: null }, ...proxies]
  const usable = setVersions(settings.clients.filter(({ name }) => name !== 'WEB' || tokens))
  const probes: Probe[] = []
  for (const { name, proxyUrl } of egresses) {
    for (const client of usable) probes.push(await probe(settings, name, proxyUrl, client))
  }
  const clients = reportClients(usable, probes, now())
  return {
    checked_at: new Date(now()).toISOString(),
    video_id: settings.videoId,
    works: egresses.every(({ name }) => probes.some(({ egress, works }) => egress === name && works)),
    alarms: listAlarms(probes),
    warnings: listWarnings(clients),
    clients,
    probes,
  }
}
