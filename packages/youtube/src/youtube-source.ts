import { readCaptions as readInline } from '@subtext/captions'
import { ServiceError } from '@subtext/contracts'
import { createLocalTimes, type FirstTimes, withTimeout } from '@subtext/runtime'
import { type Attempt, type AttemptPlan, countAppsToAgree, makeAttempts } from './attempts.ts'
import { appOf, type ClientName, clientList, DEFAULT_CLIENTS, type PlatformClient } from './clients.ts'
import { createDoubts, DOUBT_MS } from './doubts.ts'
import { openEgresses } from './egress/open-egresses.ts'
import { createRoutePlanner, selectAllowed } from './egress/plan-route.ts'
import { explainBlock } from './explain-block.ts'
import { fetchTopComments } from './fetch-comments.ts'
import { fetchTrack, gated } from './fetch-track.ts'
import { outcomeOf, type PlatformLog, type PlatformMonitor, SILENT_MONITOR } from './monitor.ts'
import type { PlatformPages } from './platform-pages.ts'
import { classifyPlayer, isKnownStatus } from './refusals/classify-playability.ts'
import { UpstreamRefusal } from './refusals/refusal.ts'
import { applyAppVersions } from './session/app-versions.ts'
import type { PlatformDestination } from './session/transport.ts'
import type { TokenProvider } from './token-provider.ts'
import { lacksManualTrack, listPlatformTracks, mergeTracks } from './video/caption-tracks.ts'
import { type PlayerResponse, parsePlayerResponse } from './video/player-response.ts'
import { buildVideoInfo, selectPublishedAt } from './video/video-info.ts'
import type { FetchOptions, ReadCaptions, SourcedVideo, VideoSource } from './video-source.ts'

export interface YoutubeSourceOptions extends PlatformDestination {
  /** `http(s)://[user:password@]host:port`; used in turn. */
  proxyUrls: string[]
  log?: PlatformLog
  monitor?: PlatformMonitor
  /** Timeout of a request in milliseconds; captions may take three times as long. */
  requestTimeoutMs?: number
  /** Milliseconds for all requests of a job. */
  budgetMs?: number
  /** Milliseconds for the time of publication, which is left out if it takes longer. */
  metadataTimeoutMs?: number
  /** Milliseconds for a second view of a video, which is left out if it takes longer. */
  secondViewTimeoutMs?: number
  /** Milliseconds for which an egress rests after its first block. */
  restMs?: number
  /** Clock for the rests, in epoch milliseconds. */
  now?: () => number
  /** The apps as which requests identify, in order. */
  clients?: readonly PlatformClient[]
  /** Provides tokens for the client `WEB`, which is skipped without them. */
  tokens?: TokenProvider
  /**
   * IDs of public videos to request when the platform turns a video away and nothing shows whether it would also turn others
   * away. Three refused videos put an egress to rest; name one more, in case the refused video is one of these. Default: none.
   */
  controlVideoIds?: readonly string[]
  /**
   * Remembers for `DOUBT_MS` since when a video has been refused, through the only egress, in words that may concern the address as
   * well. Default: in this process alone.
   */
  doubtTimes?: FirstTimes
  /** Parses and cleans a caption track. Default: on the calling thread. */
  readCaptions?: ReadCaptions
}

const REQUEST_TIMEOUT_MS = 5_000
const BUDGET_MS = 25_000
const REST_MS = 30_000
// Requested at the same time as the captions, which may take longer.
const METADATA_TIMEOUT_MS = 5_000
const SECOND_VIEW_TIMEOUT_MS = 5_000
const MAX_LOGGED_STATE_CHARS = 2_000
const MAX_LOGGED_KEYS = 50

/** The platform's reply to one client about the video. */
interface View extends Attempt {
  response: PlayerResponse
}

interface Platform {
  log: PlatformLog
  monitor: PlatformMonitor
  origin: string | undefined
  hasTokens: boolean
  metadataTimeoutMs: number
  secondViewTimeoutMs: number
  readCaptions: ReadCaptions
}

// Unparsed, so that the log contains text that the rules do not know yet.
const rawPlayability = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'playabilityStatus' in body ? body.playabilityStatus : null

interface Reply {
  client: ClientName
  videoId: string
  body: unknown
  response: PlayerResponse
}

/** Logs and counts a reply in a format that the rules do not know. Only a developer can extend the rules. */
const reportUnfamiliar = ({ log, monitor }: Platform, { client, videoId, body, response }: Reply): void => {
  const describe = (value: unknown): string => JSON.stringify(value).slice(0, MAX_LOGGED_STATE_CHARS)
  const keys = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  if (response.playabilityStatus?.status === undefined) {
    log('no playability status', { video_id: videoId, client, keys: describe(keys.slice(0, MAX_LOGGED_KEYS)) })
    monitor.countMissingState({ client })
  } else if (!isKnownStatus(response)) {
    log('unknown playability status', { video_id: videoId, client, state: describe(rawPlayability(body)) })
    monitor.countUnknownState({ client })
  }
}

const fetchPlayer = async (platform: Platform, attempt: Attempt, videoId: string): Promise<View> => {
  const { client } = attempt
  const body = await attempt.session.fetchPlayer(videoId, client, attempt.signal)
  const response = parsePlayerResponse(body)
  const refusal = classifyPlayer(response, videoId)
  reportUnfamiliar(platform, { client, videoId, body, response })
  if (refusal) throw new UpstreamRefusal(refusal)
  return { ...attempt, response }
}

/**
 * Fetches another app's view of a video for which the first app sees no manual track in the spoken or the requested language.
 * Resolves to `null` if no other view is needed or available.
 */
const fetchSecondView = async (platform: Platform, plan: AttemptPlan, first: View): Promise<View | null> => {
  const clients = plan.clients.filter((other) => !plan.asked.has(other) && appOf(other) !== appOf(first.client))
  if (clients.length === 0 || !lacksManualTrack(first.response, plan.language) || plan.budget.leftMs <= 0) return null
  try {
    return await withTimeout(platform.secondViewTimeoutMs, plan.signal, (signal) =>
      makeAttempts(
        { ...plan, signal, route: [first.egress], clients, appsToBlock: Infinity, keepsSession: true },
        (attempt) => fetchPlayer(platform, attempt, plan.videoId),
      ),
    )
  } catch {
    plan.signal.throwIfAborted()
    return null // The first view is used.
  }
}

/**
 * Fetches the time of publication, which the platform does not tell apps. It is optional, so a failure is neither a refusal nor
 * retried.
 */
const fetchPublishedAt = async (platform: Platform, plan: AttemptPlan, { session }: View): Promise<string | null> => {
  try {
    const body = await withTimeout(platform.metadataTimeoutMs, plan.signal, (signal) =>
      session.fetchMetadata(plan.videoId, signal),
    )
    const response = parsePlayerResponse(body)
    return response.videoDetails?.videoId === plan.videoId ? selectPublishedAt(response) : null
  } catch {
    return null
  }
}

/** Returns a plan that starts with the egress and the client that worked, since those before them have been refused. */
const resumeAt = (plan: AttemptPlan, { egress, client }: Attempt): AttemptPlan => ({
  ...plan,
  route: plan.route.slice(plan.route.indexOf(egress)),
  first: client,
})

const openVideo = (platform: Platform, plan: AttemptPlan, views: [View, ...View[]]): SourcedVideo => {
  const [first] = views
  const seen = views.map((view) => ({ view, tracks: listPlatformTracks(view.response) }))
  const tracks = mergeTracks(seen.map((view) => view.tracks))
  const info = buildVideoInfo(first.response, plan.videoId, tracks)
  const videoSeconds = info.duration_seconds
  return {
    info,
    tracks,
    fetchPublishedAt: () => fetchPublishedAt(platform, plan, first),
    fetchTranscript: ({ key }) => {
      const view = seen.find((one) => one.tracks.some((track) => track.key === key))?.view ?? first
      let isUsed = false
      return makeAttempts(resumeAt(plan, view), async (attempt) => {
        // The egress may be resting by now.
        const isSameWay = attempt.egress === view.egress && attempt.client === view.client
        const current =
          isUsed || !isSameWay
            ? await fetchPlayer(platform, attempt, plan.videoId)
            : { ...view, signal: attempt.signal }
        isUsed ||= isSameWay
        const track = listPlatformTracks(current.response).find((candidate) => candidate.key === key)
        if (!track) throw new UpstreamRefusal(gated)
        return fetchTrack(platform, current, { track, videoSeconds, jobSignal: plan.signal })
      })
    },
  }
}

type PlanAttempts = (about: string, options: FetchOptions) => AttemptPlan

/** Plans requests as a visitor of the website, which is refused more readily than the apps. That says nothing about them. */
const asVisitor =
  (planAttempts: PlanAttempts): PlanAttempts =>
  (about, options) => ({ ...planAttempts(about, options), clients: ['WEB'], appsToBlock: Infinity })

const createPages = (planVisit: PlanAttempts): PlatformPages => ({
  browse: (about, fields, signal) =>
    makeAttempts(planVisit(about, { signal, useProxy: null }), (attempt) =>
      attempt.session.browse(fields, attempt.signal),
    ),
  fetchFeed: (channelId, signal) =>
    makeAttempts(planVisit(channelId, { signal, useProxy: null }), (attempt) =>
      attempt.session.fetchFeed(channelId, attempt.signal),
    ),
  resolve: (url, signal) =>
    makeAttempts(planVisit(url, { signal, useProxy: null }), (attempt) =>
      attempt.session.resolveUrl(url, attempt.signal),
    ),
})

/** A source of videos with the pages of the same platform, over the same egresses. */
export interface YoutubeSource extends VideoSource {
  pages: PlatformPages
}

/** Creates a source that reads videos and captions of YouTube the way YouTube's own apps do. */
export const createYoutubeSource = (options: YoutubeSourceOptions): YoutubeSource => {
  const log = options.log ?? (() => undefined)
  const monitor = options.monitor ?? SILENT_MONITOR
  const { origin, tokens, restMs = REST_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS, readCaptions = readInline } = options
  const platform: Platform = {
    log,
    monitor,
    origin,
    readCaptions,
    hasTokens: tokens !== undefined,
    metadataTimeoutMs: options.metadataTimeoutMs ?? METADATA_TIMEOUT_MS,
    secondViewTimeoutMs: options.secondViewTimeoutMs ?? SECOND_VIEW_TIMEOUT_MS,
  }
  const clients = (options.clients ?? clientList.parse(DEFAULT_CLIENTS)).filter(({ name }) => name !== 'WEB' || tokens)
  const names = clients.map(({ name }) => name)
  applyAppVersions(clients)
  const { fetch, proxyUrls, now = Date.now, controlVideoIds = [] } = options
  const { direct, proxies } = openEgresses({
    origin,
    fetch,
    proxyUrls,
    requestTimeoutMs,
    restMs,
    now,
    tokens,
    monitor,
    log,
  })
  const planRoute = createRoutePlanner(direct, proxies)
  const doubts = createDoubts(options.doubtTimes ?? createLocalTimes(DOUBT_MS, now))
  const planAttempts: PlanAttempts = (videoId, { signal, useProxy, language }) => {
    const route = planRoute(useProxy)
    if (route.length === 0) throw new ServiceError('UPSTREAM_UNAVAILABLE', { message: 'No proxy is configured.' })
    return {
      videoId,
      route,
      allowed: selectAllowed(direct, proxies, useProxy),
      doubts,
      now,
      signal,
      language,
      budget: { leftMs: options.budgetMs ?? BUDGET_MS },
      clients: names,
      asked: new Map(),
      appsToBlock: countAppsToAgree(names),
      onAttempt(refusal, { videoId: requestedId, client, egress: { name: egress }, seconds }) {
        monitor.countAttempt({ egress, client, outcome: outcomeOf(refusal) }, seconds)
        if (!refusal) return
        const { code, cause } = refusal
        log('platform attempt refused', { video_id: requestedId, client, egress, code, cause })
      },
    }
  }
  const planVisit = asVisitor(planAttempts)
  return {
    async fetchVideo(videoId, fetchOptions) {
      const plan = planAttempts(videoId, fetchOptions)
      const first = await makeAttempts(plan, (attempt) => fetchPlayer(platform, attempt, videoId)).catch((error) =>
        explainBlock(plan, error, controlVideoIds, (attempt, id) => fetchPlayer(platform, attempt, id)),
      )
      const second = await fetchSecondView(platform, plan, first)
      return openVideo(platform, plan, second ? [first, second] : [first])
    },
    async fetchComments(videoId, fetchOptions) {
      const plan = planVisit(videoId, fetchOptions)
      return makeAttempts(plan, ({ session, signal }) => fetchTopComments(session, videoId, signal))
    },
    pages: createPages(planVisit),
  }
}
