import { readCaptions as readHere } from '@subtext/captions'
import { ServiceError, type TrackKind } from '@subtext/contracts'
import { withTimeLimit } from '@subtext/runtime'
import { applyAppVersions } from './app-versions.ts'
import { type Attempt, type AttemptPlan, makeAttempts } from './attempts.ts'
import { type AddressedTrack, buildCaptionUrl, isGated, listPlatformTracks, mergeTracks } from './caption-tracks.ts'
import { classifyPlayer, isKnownStatus } from './classify-playability.ts'
import { appOf, type ClientName, clientList, DEFAULT_CLIENTS, type PlatformClient } from './clients.ts'
import { buildComments } from './comments.ts'
import { createRoutePlanner } from './egress.ts'
import { outcomeOf, type PlatformMonitor, SILENT_MONITOR } from './monitor.ts'
import { openExits } from './open-exits.ts'
import { type PlayerResponse, parsePlayerResponse } from './player-response.ts'
import { type Refusal, UpstreamRefusal } from './refusal.ts'
import type { TokenProvider } from './token-provider.ts'
import { buildVideoInfo, selectPublishedAt } from './video-info.ts'
import type { FetchOptions, ReadCaptions, SourcedTranscript, SourcedVideo, VideoSource } from './video-source.ts'

export interface YoutubeSourceOptions {
  /** Origin that gets every request instead of the platform; `X-Forwarded-Host` names the host that was meant. */
  origin?: string
  /** `http(s)://[user:password@]host:port`; used in turn. */
  proxyUrls: string[]
  log?: (message: string, fields: Record<string, unknown>) => void
  monitor?: PlatformMonitor
  /** Milliseconds for one request; captions may take three times as long. */
  requestTimeoutMs?: number
  /** Milliseconds for all that a job asks of the platform. */
  budgetMs?: number
  /** Milliseconds that a way out is left alone when it is blocked for the first time. */
  restMs?: number
  /** Clock of the rests, in epoch milliseconds. */
  now?: () => number
  /** As whom the platform is asked, in order. */
  clients?: readonly PlatformClient[]
  /** Makes the client `WEB` usable. */
  tokens?: TokenProvider
  /** Reads what came for a track; here unless told. */
  readCaptions?: ReadCaptions
}

const REQUEST_TIMEOUT_MS = 5_000
const BUDGET_MS = 25_000
const REST_MS = 30_000
const METADATA_TIMEOUT_MS = 2_000
const SECOND_VIEW_TIMEOUT_MS = 5_000
const LONGEST_LOGGED_STATE = 2_000
const MOST_COMMENTS = 50

const gated: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-client', why: 'gated_captions' }
const foreignCaptions: Refusal = { ...gated, why: 'foreign_caption_address' }
const cutCaptions: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', why: 'malformed_captions' }
const tooLargeCaptions: Refusal = { ...cutCaptions, why: 'too_large' }
const silent: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'stop',
  details: { reason: 'no_captions' },
  why: 'nothing_spoken',
  message: 'The captions of the video hold no speech.',
}

/** What a client was told of the video. */
interface Telling extends Attempt {
  response: PlayerResponse
}

interface Platform {
  log: NonNullable<YoutubeSourceOptions['log']>
  monitor: PlatformMonitor
  origin: string | undefined
  hasTokens: boolean
  readCaptions: ReadCaptions
}

// Unparsed, so that the log shows what the rules do not know yet.
const rawPlayability = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'playabilityStatus' in answer ? answer.playabilityStatus : null

const fetchPlayer = async (platform: Platform, attempt: Attempt, videoId: string): Promise<Telling> => {
  const { client } = attempt
  const answer = await attempt.session.fetchPlayer(videoId, client, attempt.signal)
  const response = parsePlayerResponse(answer)
  const refusal = classifyPlayer(response, videoId)
  if (!isKnownStatus(response)) {
    const state = JSON.stringify(rawPlayability(answer)).slice(0, LONGEST_LOGGED_STATE)
    platform.log('youtube_unknown_playability', { videoId, client, state })
    platform.monitor.countUnknownState({ client })
  }
  if (refusal) throw new UpstreamRefusal(refusal)
  return { ...attempt, response }
}

const readBody = async (platform: Platform, body: Uint8Array[], kind: TrackKind, signal: AbortSignal) => {
  try {
    return await platform.readCaptions(body, { kind }, signal)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UpstreamRefusal(cutCaptions, error)
    if (error instanceof RangeError) throw new UpstreamRefusal(tooLargeCaptions, error)
    throw error
  }
}

const fetchTrack = async (
  platform: Platform,
  attempt: Attempt,
  track: AddressedTrack,
  jobSignal: AbortSignal,
): Promise<SourcedTranscript> => {
  const url = buildCaptionUrl(track.baseUrl, platform.origin)
  if (!url) throw new UpstreamRefusal(foreignCaptions)
  const opensGate = attempt.client === 'WEB' && platform.hasTokens
  if (isGated(url) && !opensGate) throw new UpstreamRefusal(gated)
  const body = await attempt.session.fetchCaptions(url, attempt.client, attempt.signal)
  // What the platform has sent is not lost for having to wait until it is read.
  const { written, cues, report } = await readBody(platform, body, track.kind, jobSignal)
  if (written === 0) throw new UpstreamRefusal(gated)
  if (cues.length === 0) throw new UpstreamRefusal(silent)
  return { cues, cleaning: report }
}

/**
 * Another app's view of a video of which the first showed automatic captions alone: some apps are not told of manual
 * tracks with styles (https://github.com/jdepoix/youtube-transcript-api/issues/609). `null` when there is none to be had.
 */
const fetchSecondView = async (platform: Platform, plan: AttemptPlan, first: Telling): Promise<Telling | null> => {
  const others = plan.clients.slice(plan.clients.indexOf(first.client) + 1)
  const clients = others.filter((other) => appOf(other) !== appOf(first.client))
  const isAutomaticOnly = listPlatformTracks(first.response).every(({ kind }) => kind === 'auto')
  if (clients.length === 0 || !isAutomaticOnly || plan.budget.leftMs <= 0) return null
  try {
    return await withTimeLimit(SECOND_VIEW_TIMEOUT_MS, plan.signal, (signal) =>
      makeAttempts({ ...plan, signal, route: [first.egress], clients }, (attempt) =>
        fetchPlayer(platform, attempt, plan.videoId),
      ),
    )
  } catch {
    plan.signal.throwIfAborted()
    return null // the first view stands
  }
}

/** The apps are not told when a video was published. It is an extra: no trouble with it is a refusal, or worth a second try. */
const fetchPublishedAt = async (plan: AttemptPlan, { session }: Telling): Promise<string | null> => {
  try {
    const answer = await withTimeLimit(METADATA_TIMEOUT_MS, plan.signal, (signal) =>
      session.fetchMetadata(plan.videoId, signal),
    )
    const response = parsePlayerResponse(answer)
    return response.videoDetails?.videoId === plan.videoId ? selectPublishedAt(response) : null
  } catch {
    return null
  }
}

/** The way out and the client that worked come first; what came before them has refused. */
const resumeAt = (plan: AttemptPlan, { egress, client }: Attempt): AttemptPlan => ({
  ...plan,
  route: plan.route.slice(plan.route.indexOf(egress)),
  clients: [client, ...plan.clients.filter((other) => other !== client)],
})

const openVideo = (platform: Platform, plan: AttemptPlan, views: [Telling, ...Telling[]]): SourcedVideo => {
  const [first] = views
  const seen = views.map((view) => ({ view, tracks: listPlatformTracks(view.response) }))
  const tracks = mergeTracks(seen.map((view) => view.tracks))
  return {
    info: buildVideoInfo(first.response, plan.videoId, tracks),
    tracks,
    fetchPublishedAt: () => fetchPublishedAt(plan, first),
    fetchTranscript: ({ key }) => {
      const known = seen.find((one) => one.tracks.some((track) => track.key === key))?.view ?? first
      let unused: Telling | undefined = known
      return makeAttempts(resumeAt(plan, known), async (attempt) => {
        const over = unused ? { ...attempt, session: unused.session } : attempt
        const { response } = unused ?? (await fetchPlayer(platform, attempt, plan.videoId))
        unused = undefined
        const track = listPlatformTracks(response).find((candidate) => candidate.key === key)
        if (!track) throw new UpstreamRefusal(gated)
        return fetchTrack(platform, over, track, plan.signal)
      })
    },
  }
}

/** Videos and captions of YouTube, read as its apps read them. */
export const createYoutubeSource = (options: YoutubeSourceOptions): VideoSource => {
  const log = options.log ?? (() => undefined)
  const monitor = options.monitor ?? SILENT_MONITOR
  const { origin, tokens, restMs = REST_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS, readCaptions = readHere } = options
  const platform: Platform = { log, monitor, origin, hasTokens: tokens !== undefined, readCaptions }
  const clients = (options.clients ?? clientList.parse(DEFAULT_CLIENTS)).filter(({ name }) => name !== 'WEB' || tokens)
  applyAppVersions(clients)
  const { proxyUrls, now } = options
  const { direct, proxies } = openExits({ origin, proxyUrls, requestTimeoutMs, restMs, now, tokens, monitor, log })
  const planRoute = createRoutePlanner(direct, proxies)
  const planAttempts = (videoId: string, { signal, useProxy }: FetchOptions): AttemptPlan => {
    const route = planRoute(useProxy)
    if (route.length === 0) throw new ServiceError('UPSTREAM_UNAVAILABLE', { message: 'No proxy is configured.' })
    return {
      ...{ videoId, route, signal, budget: { leftMs: options.budgetMs ?? BUDGET_MS } },
      clients: clients.map(({ name }) => name),
      onAttempt(refusal, client, { name: exit }) {
        monitor.countAttempt({ exit, client, outcome: outcomeOf(refusal) })
        if (refusal) log('youtube_refused', { videoId, client, exit, code: refusal.code, why: refusal.why })
      },
    }
  }
  return {
    async fetchVideo(videoId, fetchOptions) {
      const plan = planAttempts(videoId, fetchOptions)
      const first = await makeAttempts(plan, (attempt) => fetchPlayer(platform, attempt, videoId))
      const second = await fetchSecondView(platform, plan, first)
      return openVideo(platform, plan, second ? [first, second] : [first])
    },
    async fetchComments(videoId, fetchOptions) {
      const asVisitor: ClientName[] = ['WEB']
      const plan = { ...planAttempts(videoId, fetchOptions), clients: asVisitor }
      const comments = await makeAttempts(plan, ({ session, signal }) =>
        session.fetchComments(videoId, MOST_COMMENTS, signal),
      )
      return buildComments(comments).slice(0, MOST_COMMENTS)
    },
  }
}
