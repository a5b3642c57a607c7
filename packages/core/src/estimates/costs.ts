import {
  type EstimateBasis,
  type Forecast,
  type ForecastRequest,
  type PinnedTemplate,
  SUMMARY_MODES,
  type SummaryMode,
  type TranscriptSize,
  type UsageSample,
  type VideoOptions,
} from '@subtext/contracts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { findOwnExtractionKeys } from '../templates/index.ts'
import {
  findCutCueCount,
  findKnownTranscripts,
  findKnownVideos,
  findOwnInfographicKeys,
  findOwnSummaries,
  type KnownTranscript,
  type KnownVideo,
  listUsageSamples,
  type StoredUsageSample,
} from './estimates-sql.ts'
import type { SummaryOutlook } from './outlook.ts'
import { cutSizes, exactly, guessSize, isNeverCut } from './transcript-sizes.ts'

/** A video to estimate, as it would be submitted. */
export interface WantedVideo {
  videoId: string
  options: VideoOptions
  /** Those to be filled, as far as they are known. */
  templates: PinnedTemplate[]
  instructions: string | null
  forceRefresh: boolean
}

export interface EstimatedVideo extends Forecast {
  videoId: string
  cached: { transcript: boolean; modes: SummaryMode[] }
  basis: EstimateBasis
  /** Number of summaries and infographics to be written, and of templates to be filled. */
  writes: number
}

export type EstimateCosts = (userId: string, videos: WantedVideo[]) => Promise<EstimatedVideo[]>

/** How long samples of earlier usage are reused. */
const SAMPLES_MS = 60_000
/** How long providers usually keep a prompt, and how long they may keep it: chats request an hour. */
const CACHE_MS = 5 * 60_000
const MAX_CACHE_MS = 60 * 60_000

/**
 * Creates the function that estimates what videos will cost, using only the store: neither the platform nor a model is called.
 * Only work done for the account itself counts as done, so that nobody learns what others have requested.
 */
export function createCostEstimator(ctx: Pick<Context, 'db' | 'clock'>, outlook: SummaryOutlook): EstimateCosts {
  const forecasts = new LRUCache<'now', (request: ForecastRequest) => Forecast>({
    max: 1,
    ttl: SAMPLES_MS,
    allowStale: true,
    fetchMethod: async () => outlook.learn((await listUsageSamples(ctx.db, outlook.model, ctx.clock())).map(toSample)),
  })
  return async (userId, wanted) => {
    const forecast = (await forecasts.fetch('now')) ?? outlook.learn([])
    const sources = await findSources(ctx, outlook, userId, wanted)
    const keys = sources.map(({ video, transcript, cueCount }) =>
      video.options.summary_modes.map((mode) =>
        transcript && cueCount !== null ? buildKeys(outlook, userId, video, { transcript, cueCount, mode }) : [],
      ),
    )
    const own = await findOwnIds(ctx, userId, keys.flat(2))
    const drawn = await findDrawn(
      ctx,
      userId,
      sources.map((source, index) => buildPictureKey(outlook, source, keys[index] ?? [], own)),
    )
    const templates = await countTemplates(ctx, outlook, userId, sources)
    const charged = new Set<string>()
    return sources.map((source, index) => {
      const { video } = source
      const found = keys[index] ?? []
      const isOwn = (_: SummaryMode, nth: number) =>
        !video.forceRefresh && (found[nth] ?? []).some((key) => own.has(key.toString('hex')))
      const missing = video.options.summary_modes.filter((mode, nth) => {
        if (isOwn(mode, nth)) return false
        const identity = found[nth]?.[0]?.toString('hex') ?? JSON.stringify([video.videoId, mode, video])
        // A summary that several videos of the request share is written once.
        const isFirst = !charged.has(identity)
        charged.add(identity)
        return isFirst
      })
      const draws = wantsPicture(outlook, video) && !drawn[index]
      return {
        videoId: video.videoId,
        cached: {
          transcript: source.transcript !== null && !video.forceRefresh,
          modes: video.options.summary_modes.filter(isOwn),
        },
        basis: source.basis,
        writes: missing.length + (draws ? 1 : 0) + (templates[index] ?? 0),
        ...forecast({
          size: source.size,
          modes: missing,
          instructions: video.instructions,
          cached: guessCache(source.transcript?.lastUsedAt ?? null, ctx.clock()),
          hasNotes: source.transcript?.hasNotes === true && !video.forceRefresh,
          infographic: draws ? video.options.summary_modes : null,
          templates: templates[index] ?? 0,
        }),
      }
    })
  }
}

/** Returns for each video how many of its templates have still to be filled. */
async function countTemplates(
  ctx: Pick<Context, 'db'>,
  outlook: SummaryOutlook,
  userId: string,
  sources: Source[],
): Promise<number[]> {
  const keys = sources.map(({ video, transcript, cueCount }) => {
    const { options, instructions, templates, forceRefresh } = video
    if (!transcript || cueCount === null || forceRefresh) return []
    const { id: transcriptId, track } = transcript
    const source = { transcriptId, track, cueCount, instructions, outputLanguage: options.output_language }
    return templates.map((template) => outlook.buildExtractionKey({ ...source, template }))
  })
  const own = await findOwnExtractionKeys(ctx.db, userId, keys.flat())
  return sources.map(({ video }, index) => {
    const known = keys[index]?.filter((key) => own.has(key.toString('hex'))) ?? []
    return Math.max(video.templates.length, video.options.templates?.length ?? 0) - known.length
  })
}

const sizeOf = ({ cueCount, textBytes, characters }: Omit<StoredUsageSample, 'written'>): TranscriptSize => ({
  cues: cueCount,
  characters: characters ?? textBytes,
  bytes: textBytes,
})

const toSample = ({ written, promptTokens, outputTokens, ...stored }: StoredUsageSample): UsageSample => ({
  written,
  promptTokens,
  outputTokens,
  size: sizeOf({ ...stored, promptTokens, outputTokens }),
})

function guessCache(lastUsedAt: Date | null, now: Date): ForecastRequest['cached'] {
  const age = lastUsedAt ? now.getTime() - lastUsedAt.getTime() : Number.POSITIVE_INFINITY
  return age < CACHE_MS ? 'likely' : age < MAX_CACHE_MS ? 'maybe' : 'no'
}

/** Returns the keys under which a summary of the account may be stored: its own and, without instructions, the shared one. */
const buildKeys = (
  outlook: SummaryOutlook,
  userId: string,
  { options, instructions }: WantedVideo,
  { transcript, cueCount, mode }: { transcript: KnownTranscript; cueCount: number; mode: SummaryMode },
): Buffer[] =>
  (instructions === null ? [userId, null] : [userId]).map((account) =>
    outlook.buildKey({
      account,
      transcriptId: transcript.id,
      track: transcript.track,
      cueCount,
      mode,
      instructions,
      outputLanguage: options.output_language,
    }),
  )

/** Returns the summaries of this account by their keys in hexadecimal. */
async function findOwnIds(ctx: Pick<Context, 'db'>, userId: string, wanted: Buffer[]): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const own = await findOwnSummaries(ctx.db, userId, wanted)
  return new Map(own.flatMap((id, index) => (id === null ? [] : [[wanted[index]?.toString('hex') ?? '', id]])))
}

const wantsPicture = (outlook: SummaryOutlook, { options }: WantedVideo): boolean =>
  options.generate_infographic && outlook.hasInfographics

/**
 * Returns the key of the infographic that a job would reuse; null if it would write a new one, because it has none or a summary
 * of it is new. `keys`: of each mode. `own`: summaries of the account by their keys.
 */
function buildPictureKey(
  outlook: SummaryOutlook,
  { video, transcript, cueCount }: Source,
  keys: Buffer[][],
  own: Map<string, string>,
): Buffer | null {
  const { options, instructions, forceRefresh } = video
  if (!wantsPicture(outlook, video) || forceRefresh || !transcript || cueCount === null) return null
  const idOf = (mode: SummaryMode): string | undefined =>
    keys[options.summary_modes.indexOf(mode)]?.flatMap((key) => own.get(key.toString('hex')) ?? [])[0]
  const modes = SUMMARY_MODES.filter((mode) => options.summary_modes.includes(mode))
  const summaryIds = modes.flatMap((mode) => idOf(mode) ?? [])
  if (summaryIds.length < modes.length) return null
  const { id: transcriptId, track } = transcript
  const outputLanguage = options.output_language
  return outlook.buildInfographicKey({ transcriptId, track, cueCount, instructions, outputLanguage, summaryIds })
}

/** Returns for each key whether the account has the infographic. */
async function findDrawn(ctx: Pick<Context, 'db'>, userId: string, keys: (Buffer | null)[]): Promise<boolean[]> {
  const wanted = keys.filter((key) => key !== null)
  if (wanted.length === 0) return []
  const found = await findOwnInfographicKeys(ctx.db, userId, wanted)
  const own = new Set(wanted.filter((_, index) => found[index]).map((key) => key.toString('hex')))
  return keys.map((key) => key !== null && own.has(key.toString('hex')))
}

/** What is known about a video to estimate. */
interface Source {
  video: WantedVideo
  /** The stored captions that a job would use; null if there are none. */
  transcript: KnownTranscript | null
  /** Number of cues after cutting; null if that is not known. */
  cueCount: number | null
  size: ForecastRequest['size']
  basis: EstimateBasis
}

async function findSources(
  ctx: Pick<Context, 'db'>,
  outlook: SummaryOutlook,
  userId: string,
  wanted: WantedVideo[],
): Promise<Source[]> {
  const ids = [...new Set(wanted.map(({ videoId }) => videoId))]
  const [videos, transcripts] = await Promise.all([
    findKnownVideos(ctx.db, ids),
    findKnownTranscripts(ctx.db, userId, ids),
  ])
  const known = new Map(videos.map((video) => [video.id, video]))
  return Promise.all(
    wanted.map((video) => {
      const stored = transcripts.filter(({ videoId }) => videoId === video.videoId)
      return findSource(ctx, outlook, video, { known: known.get(video.videoId) ?? null, stored })
    }),
  )
}

async function findSource(
  ctx: Pick<Context, 'db'>,
  outlook: SummaryOutlook,
  video: WantedVideo,
  { known, stored }: { known: KnownVideo | null; stored: KnownTranscript[] },
): Promise<Source> {
  const maxBytes = video.options.max_transcript_length
  const transcript = selectTranscript(outlook, video, known, stored)
  if (!transcript) {
    const info = known?.info ?? stored.find((one) => one.info)?.info ?? null
    const size = cutSizes(guessSize(info?.duration_seconds ?? null), maxBytes)
    return { video, transcript, cueCount: null, size, basis: info ? 'duration' : 'typical' }
  }
  const { cueCount, textBytes, characters } = transcript
  const size = { cues: cueCount, characters: characters ?? textBytes, bytes: textBytes }
  if (isNeverCut(size, maxBytes)) return { video, transcript, cueCount, size: exactly(size), basis: 'transcript' }
  const cut = await findCutCueCount(ctx.db, transcript.id, maxBytes)
  return { video, transcript, cueCount: cut, size: cutSizes(exactly(size), maxBytes), basis: 'transcript' }
}

/**
 * Returns the stored transcript of the track that a job would select; null if there is none, or if that cannot be determined.
 */
function selectTranscript(
  outlook: SummaryOutlook,
  { options }: WantedVideo,
  known: KnownVideo | null,
  stored: KnownTranscript[],
): KnownTranscript | null {
  const [first] = stored
  if (!first) return null
  const video = known ?? { info: first.info, tracks: stored.map(({ track }) => track) }
  if (video.tracks.length === 0) return null
  const { track, languageMatched } = outlook.selectTrack(options, video)
  // Without the platform's list of tracks, it is not known whether another track is in the requested language.
  if (!known && !languageMatched) return null
  return stored.find((one) => one.track.key === track.key) ?? null
}
