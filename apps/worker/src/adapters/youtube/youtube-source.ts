import { type Cue, ServiceError } from '@subtext/contracts'
import { ProxyAgent } from 'undici'
import { cleanCues } from '../../captions/clean-cues.ts'
import { parseJson3 } from '../../captions/json3.ts'
import type { FetchOptions, SourcedVideo, VideoSource } from '../../pipeline/ports.ts'
import { type Attempt, type AttemptPlan, makeAttempts } from './attempts.ts'
import { type AddressedTrack, buildCaptionUrl, isGated, listPlatformTracks } from './caption-tracks.ts'
import { classifyPlayer } from './classify-playability.ts'
import { createEgress, createRoutePlanner, type Egress } from './egress.ts'
import { type PlayerResponse, parsePlayerResponse } from './player-response.ts'
import { type Refusal, UpstreamRefusal } from './refusal.ts'
import { type ClientName, openSession } from './session.ts'
import { createSend } from './transport.ts'
import { buildVideoInfo } from './video-info.ts'

export interface YoutubeSourceOptions {
  /** Origin that gets every request instead of the platform; `X-Forwarded-Host` names the host that was meant. */
  origin?: string
  /** `http(s)://[user:password@]host:port`; used in turn. */
  proxyUrls: string[]
  log?: (message: string, fields: Record<string, unknown>) => void
  /** Milliseconds for one request; captions may take three times as long. */
  requestTimeoutMs?: number
  /** Platform clients to ask as, in order. */
  clients?: readonly ClientName[]
}

// The app clients get captions without the token that the platform asks of its web player.
const CLIENTS: readonly ClientName[] = ['ANDROID', 'VISIONOS', 'IOS']
const REQUEST_TIMEOUT_MS = 5_000
const BUDGET_MS = 25_000
const LONGEST_LOGGED_STATE = 2_000

const gated: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-client', why: 'gated_captions' }
const foreignCaptions: Refusal = { ...gated, why: 'foreign_caption_address' }
const cutCaptions: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', why: 'malformed_captions' }
const silent: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'stop',
  details: { reason: 'no_captions' },
  why: 'nothing_spoken',
}

interface AcceptedVideo extends Attempt {
  response: PlayerResponse
}

type Log = NonNullable<YoutubeSourceOptions['log']>

// Unparsed, so that the log shows what the rules do not know yet.
const rawPlayability = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'playabilityStatus' in answer ? answer.playabilityStatus : null

const fetchPlayer = async (attempt: Attempt, videoId: string, log: Log): Promise<PlayerResponse> => {
  const answer = await attempt.session.fetchPlayer(videoId, attempt.client, attempt.signal)
  const response = parsePlayerResponse(answer)
  const refusal = classifyPlayer(response, videoId)
  if (refusal?.why === 'unknown_status') {
    const state = JSON.stringify(rawPlayability(answer)).slice(0, LONGEST_LOGGED_STATE)
    log('youtube_unknown_playability', { videoId, client: attempt.client, state })
  }
  if (refusal) throw new UpstreamRefusal(refusal)
  return response
}

const parseCues = (text: string): Cue[] => {
  try {
    return parseJson3(text)
  } catch (error) {
    throw new UpstreamRefusal(cutCaptions, error)
  }
}

const fetchTrackCues = async (attempt: Attempt, track: AddressedTrack, origin?: string): Promise<Cue[]> => {
  const url = buildCaptionUrl(track.baseUrl, origin)
  if (!url) throw new UpstreamRefusal(foreignCaptions)
  if (isGated(url)) throw new UpstreamRefusal(gated)
  const written = parseCues(await attempt.session.fetchCaptions(url, attempt.client, attempt.signal))
  if (written.length === 0) throw new UpstreamRefusal(gated)
  const cues = cleanCues(written, track.kind)
  if (cues.length === 0) throw new UpstreamRefusal(silent)
  return cues
}

/** The way out and the client that worked come first; what came before them has refused. */
const resumeAt = (plan: AttemptPlan, { egress, client }: Attempt): AttemptPlan => ({
  ...plan,
  route: plan.route.slice(plan.route.indexOf(egress)),
  clients: [client, ...plan.clients.filter((other) => other !== client)],
})

const openVideo = (
  plan: AttemptPlan,
  accepted: AcceptedVideo,
  videoId: string,
  log: Log,
  origin?: string,
): SourcedVideo => ({
  info: buildVideoInfo(accepted.response, videoId),
  tracks: listPlatformTracks(accepted.response).map(({ baseUrl: _, ...track }) => track),
  fetchCues: ({ key }) => {
    let unused: AcceptedVideo | undefined = accepted
    return makeAttempts(resumeAt(plan, accepted), async (attempt) => {
      const response = unused ? unused.response : await fetchPlayer(attempt, videoId, log)
      const over = unused ? { ...attempt, session: unused.session } : attempt
      unused = undefined
      const track = listPlatformTracks(response).find((candidate) => candidate.key === key)
      if (!track) throw new UpstreamRefusal(gated)
      return fetchTrackCues(over, track, origin)
    })
  },
})

const createEgresses = (options: YoutubeSourceOptions, log: Log): { direct: Egress; proxies: Egress[] } => {
  const send = createSend(options.origin)
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  return {
    direct: createEgress(false, () => openSession({ send, dispatcher: undefined, requestTimeoutMs, log })),
    // A new agent opens new tunnels, and a rotating proxy gives each tunnel another address.
    proxies: options.proxyUrls.map((uri) =>
      createEgress(true, () => openSession({ send, dispatcher: new ProxyAgent({ uri }), requestTimeoutMs, log })),
    ),
  }
}

/** Videos and captions of YouTube, read as its apps read them. */
export const createYoutubeSource = (options: YoutubeSourceOptions): VideoSource => {
  const log: Log = options.log ?? (() => undefined)
  const { direct, proxies } = createEgresses(options, log)
  const planRoute = createRoutePlanner(direct, proxies)
  const planAttempts = (videoId: string, { signal, useProxy }: FetchOptions): AttemptPlan => ({
    route: planRoute(useProxy),
    clients: options.clients ?? CLIENTS,
    signal,
    budgetMs: BUDGET_MS,
    onRefusal: ({ code, why }, client, isProxy) => log('youtube_refused', { videoId, client, isProxy, code, why }),
  })
  return {
    async fetchVideo(videoId, fetchOptions) {
      const plan = planAttempts(videoId, fetchOptions)
      if (plan.route.length === 0)
        throw new ServiceError('UPSTREAM_UNAVAILABLE', { message: 'No proxy is configured.' })
      const accepted = await makeAttempts(plan, async (attempt) => ({
        ...attempt,
        response: await fetchPlayer(attempt, videoId, log),
      }))
      return openVideo(plan, accepted, videoId, log, options.origin)
    },
  }
}
