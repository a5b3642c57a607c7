import { selectRequestedTrack } from '@subtext/captions'
import type { CaptionTrack, Cue, SelectionReason, VideoInfo, Warning } from '@subtext/contracts'
import type { LeaseRequest } from '@subtext/core/coordination'
import {
  acquireAfterLooking,
  type FlightLease,
  type FlightStart,
  retryThroughOutage,
  singleFlight,
} from '@subtext/core/coordination'
import { type ClaimLook, isImported, type Job, type StoredResult } from '@subtext/core/jobs'
import {
  buildVideoLeaseKey,
  findTranscript,
  findTranscriptOf,
  findVideoOrAcquire,
  type NewTranscript,
  saveFetchedVideo,
  saveVideo,
  type TranscriptHead,
  type VideoLookup,
} from '@subtext/core/transcripts'
import { oldestCurrent } from '@subtext/core/videos'
import { type SourcedVideo, UnusableTrackError } from '@subtext/youtube'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'
import type { LargeVideoClaim } from './large-videos.ts'

/** Captions do not go stale; a job that wants new ones sets `force_refresh`. */
const ANY_TIME = new Date(0)

export interface ObtainedTranscript {
  info: VideoInfo
  transcript: Pick<TranscriptHead, 'id' | 'track' | 'cueCount' | 'cleaning'>
  /** All of its cues, if they were fetched just now. */
  cues?: Cue[]
  selectionReason: SelectionReason
  warnings: Warning[]
  /** The result that the job extends; it already has everything that could be requested from the platform. */
  source?: StoredResult
}

export interface ObtainOptions {
  signal: AbortSignal
  /** Capacity for a large video, claimed as soon as the length is known. */
  capacity: LargeVideoClaim
  onFetchingCaptions: (info: VideoInfo) => void
  /** What the statement that claimed the job found out about the video. */
  look?: ClaimLook
}

/**
 * Returns the video and the transcript of the track selected for this job, from the store or else from the platform. Of all
 * jobs for a video on all workers, one asks the platform and the others use what it stored. If it fails, the waiting jobs of
 * the same worker fail with it.
 */
export async function obtainTranscript(
  ctx: WorkerContext,
  job: Job,
  options: ObtainOptions,
): Promise<ObtainedTranscript> {
  const askedAt = performance.now()
  const question = JSON.stringify([job.videoId, job.useProxy, job.options.language, job.options.track_preference])
  const { look, signal } = options
  const obtaining: Obtaining = { ...options, ctx, job, known: look ?? null }
  const found = look && !look.lease && (await findIn(obtaining, look))
  if (found) return found
  const assertNotFailed = (): void => {
    const failure = ctx.recentFailures.find(question, askedAt)
    if (failure) throw failure
  }
  return singleFlight(ctx, buildVideoLeaseKey(job.videoId), signal, {
    acquired: look?.lease,
    leaseSeconds: ctx.work.leaseSeconds,
    async start(lease) {
      assertNotFailed()
      return findOrAcquire(obtaining, lease)
    },
    async produce(lease) {
      assertNotFailed()
      try {
        return await fetchAndStore(obtaining, lease)
      } catch (error) {
        ctx.recentFailures.remember(question, error)
        throw error
      }
    },
  })
}

interface Obtaining extends ObtainOptions {
  ctx: WorkerContext
  job: Job
  /** What the last lookup in the store found. */
  known: Known | null
}

type Known = Pick<VideoLookup, 'video' | 'transcripts'>

/** A refresh accepts anything fetched since it was requested, even by another job or an earlier attempt of this one. */
const oldestVideo = ({ ctx, job }: Obtaining): Date => (job.forceRefresh ? job.createdAt : oldestCurrent(ctx))
const oldestCues = ({ job }: Obtaining): Date => (job.forceRefresh ? job.createdAt : ANY_TIME)

async function findOrAcquire(obtaining: Obtaining, lease: LeaseRequest): Promise<FlightStart<ObtainedTranscript>> {
  const { ctx, job } = obtaining
  const known = await findVideoOrAcquire(ctx.db, job.videoId, oldestVideo(obtaining), lease)
  obtaining.known = known
  if (!isCurrent(obtaining, known)) return { lease: known.lease }
  const found = await findIn(obtaining, known)
  return found ? { found } : { lease: await acquireAfterLooking(ctx, lease) }
}

const isCurrent = (obtaining: Obtaining, { video }: Known): boolean =>
  video !== null && video.fetchedAt >= oldestVideo(obtaining)

/** Returns what the lookup found, if that is everything the job needs. */
async function findIn(obtaining: Obtaining, known: Known): Promise<ObtainedTranscript | null> {
  const { ctx, job, capacity } = obtaining
  const { video } = known
  if (!video || !isCurrent(obtaining, known)) return null
  capacity.claim({ seconds: video.info.duration_seconds })
  const selection = selectRequestedTrack(job.options, video)
  const wanted = { videoId: job.videoId, trackKey: selection.track.key, notBefore: oldestCues(obtaining) }
  const transcript = await findTranscriptOf(ctx.db, known, wanted)
  return transcript && { info: video.info, transcript, ...selection }
}

/**
 * Asks the platform and stores the answer, waiting out database outages and full disks, because a repeated job would have to
 * ask again. Returns null if the job has lost its right to fetch in the meantime.
 */
async function fetchAndStore(obtaining: Obtaining, lease: FlightLease): Promise<ObtainedTranscript | null> {
  const { ctx, job, capacity, known, signal } = obtaining
  if (known?.video) capacity.claim({ seconds: known.video.info.duration_seconds })
  // A refresh that is requested from now on may ask for something newer.
  const asked = { askedAt: performance.now(), requestedAt: job.forceRefresh ? job.createdAt : null }
  const { language } = job.options
  const video =
    job.imported && !isImported(job.imported)
      ? ctx.openEpisode(job.imported, signal)
      : await ctx.source.fetchVideo(job.videoId, { signal, useProxy: job.useProxy, language })
  await claimCapacity(ctx, capacity, video, asked.askedAt)
  obtaining.onFetchingCaptions(video.info)
  const completing = completeInfo(video)
  const { selection, tracks, obtained } = await obtainBest(obtaining, video)
  const info = withDuration(await completing, obtained)
  const transcript = await lease.endWith((held) =>
    retryThroughOutage(signal, () =>
      saveFetchedVideo(ctx.db, { lease: held, info, tracks: tracks.map(forget), ...asked, transcript: obtained }),
    ),
  )
  return transcript && { info, transcript, ...selection, ...('cues' in obtained && { cues: obtained.cues }) }
}

/** Tracks that a job tries. A video with more that are unusable has hardly one that is not. */
const MAX_TRACKS = 5

/**
 * Returns the transcript of the track that fits the job best, from the store or else from the platform. Tracks that turn out to
 * be unusable are marked, and the next one is tried. If none is usable, throws the error of the first.
 */
async function obtainBest(obtaining: Obtaining, video: SourcedVideo) {
  const { ctx, job, known } = obtaining
  let { tracks } = video
  let firstError: UnusableTrackError | null = null
  for (let tried = 1; ; tried++) {
    const selection = selectRequestedTrack(job.options, { info: video.info, tracks })
    const { key, fault } = selection.track
    if (firstError && (fault || tried > MAX_TRACKS)) throw firstError
    const hasStored = known !== null && known.transcripts.length > 0
    const stored = hasStored ? await findTranscript(ctx.db, job.videoId, key, oldestCues(obtaining)) : null
    try {
      return { selection, tracks, obtained: stored ?? (await fetchTranscript(video, selection.track)) }
    } catch (error) {
      if (!(error instanceof UnusableTrackError)) throw error
      firstError ??= error
      tracks = tracks.map((track) => (track.key === key ? { ...track, fault: error.fault } : track))
    }
  }
}

/** Forgets a fault that the platform may mend any time. */
const forget = ({ fault, ...track }: CaptionTrack): CaptionTrack =>
  fault === 'no_speech' ? { ...track, fault } : track

/** Stores the size of a video that the worker has no capacity for, so that the next attempt need not ask the platform again. */
async function claimCapacity(
  ctx: WorkerContext,
  capacity: LargeVideoClaim,
  video: SourcedVideo,
  askedAt: number,
): Promise<void> {
  try {
    capacity.claim({ seconds: video.info.duration_seconds })
  } catch (error) {
    await saveVideo(ctx.db, video, (performance.now() - askedAt) / 1_000)
    throw error
  }
}

/** Many feeds do not say how long an episode is. Its last words do. */
function withDuration(info: VideoInfo, obtained: NewTranscript | TranscriptHead): VideoInfo {
  if (info.duration_seconds > 0 || !('cues' in obtained)) return info
  const endMs = obtained.cues.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0)
  return { ...info, duration_seconds: Math.ceil(endMs / 1_000) }
}

async function completeInfo({ info, fetchPublishedAt }: SourcedVideo): Promise<VideoInfo> {
  if (info.published_at !== null || !fetchPublishedAt) return info
  return { ...info, published_at: await fetchPublishedAt() }
}

async function fetchTranscript(video: SourcedVideo, track: CaptionTrack): Promise<NewTranscript> {
  const { cues, cleaning, language = track.language } = await video.fetchTranscript(track)
  return { id: newId(), videoId: video.info.video_id, track: { ...track, language }, cues, cleaning }
}
