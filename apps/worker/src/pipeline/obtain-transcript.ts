import type { CaptionTrack, Cue, SelectionReason, VideoInfo, Warning } from '@subtext/contracts'
import {
  acquireAfterLooking,
  type FlightLease,
  type FlightStart,
  retryThroughOutage,
  singleFlight,
} from '@subtext/core/coordination'
import {
  findTranscript,
  findTranscriptOf,
  findVideoOrAcquire,
  type Job,
  type LeaseRequest,
  type NewTranscript,
  type StoredResult,
  saveFetchedVideo,
  saveVideo,
  type TranscriptHead,
  type VideoLookup,
} from '@subtext/db'
import type { SourcedVideo } from '@subtext/youtube'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'
import type { LargeVideoClaim } from './large-videos.ts'
import { selectJobTrack } from './select-job-track.ts'

/** How long information about a video counts as current. Until then, other jobs for it do not ask the platform. */
const VIDEO_MAX_AGE_MS = 10 * 60_000
/** Captions do not go stale; a job that wants new ones sets `force_refresh`. */
const ANY_TIME = new Date(0)

export interface ObtainedTranscript {
  info: VideoInfo
  transcript: Pick<TranscriptHead, 'id' | 'track' | 'cueCount' | 'cleaning'>
  /** All of its cues, if they were fetched just now. */
  cues?: Cue[]
  selectionReason: SelectionReason
  warnings: Warning[]
  /** The result to which the job adds; it already has all that may be requested from the platform. */
  source?: StoredResult
}

interface ObtainOptions {
  signal: AbortSignal
  /** Claimed for a large video as soon as its length is known. */
  capacity: LargeVideoClaim
  onFetchingCaptions: (info: VideoInfo) => void
}

/**
 * Returns the video and the transcript of the track selected for this job, from the store or else from the platform. Of all
 * jobs for a video on all workers, one asks the platform and the others find what it stored. If it fails, the waiting jobs
 * of the same worker fail with it.
 */
export async function obtainTranscript(
  ctx: WorkerContext,
  job: Job,
  options: ObtainOptions,
): Promise<ObtainedTranscript> {
  const askedAt = performance.now()
  const question = JSON.stringify([job.videoId, job.useProxy, job.options.language, job.options.track_preference])
  const obtaining: Obtaining = { ...options, ctx, job, known: null }
  return singleFlight(ctx, `video:${job.videoId}`, options.signal, {
    leaseSeconds: ctx.work.leaseSeconds,
    async start(lease) {
      const failure = ctx.recentFailures.find(question, askedAt)
      if (failure) throw failure
      return findOrAcquire(obtaining, lease)
    },
    async produce(lease) {
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
  /** What the last look at the store has found. */
  known: VideoLookup | null
}

/** A refresh accepts anything fetched since it was requested, even by another job or an earlier try of this one. */
const oldestVideo = ({ ctx, job }: Obtaining): Date =>
  job.forceRefresh ? job.createdAt : new Date(ctx.clock().getTime() - VIDEO_MAX_AGE_MS)
const oldestCues = ({ job }: Obtaining): Date => (job.forceRefresh ? job.createdAt : ANY_TIME)

async function findOrAcquire(obtaining: Obtaining, lease: LeaseRequest): Promise<FlightStart<ObtainedTranscript>> {
  const { ctx, job, capacity } = obtaining
  const notBefore = oldestVideo(obtaining)
  const known = await findVideoOrAcquire(ctx.db, job.videoId, notBefore, lease)
  obtaining.known = known
  const { video } = known
  if (!video || video.fetchedAt < notBefore) return { lease: known.lease }
  capacity.claim({ seconds: video.info.duration_seconds })
  const selection = selectJobTrack(job, video)
  const wanted = { videoId: job.videoId, trackKey: selection.track.key, notBefore: oldestCues(obtaining) }
  const transcript = await findTranscriptOf(ctx.db, known, wanted)
  if (transcript) return { found: { info: video.info, transcript, ...selection } }
  return { lease: await acquireAfterLooking(ctx, lease) }
}

/**
 * Asks the platform, and stores what it answers through outages of the database and full disks, too: a repeated job would
 * ask again. Null: this job has lost its right to fetch meanwhile.
 */
async function fetchAndStore(obtaining: Obtaining, lease: FlightLease): Promise<ObtainedTranscript | null> {
  const { ctx, job, capacity, known, signal } = obtaining
  if (known?.video) capacity.claim({ seconds: known.video.info.duration_seconds })
  const video = await ctx.source.fetchVideo(job.videoId, { signal, useProxy: job.useProxy })
  await claimCapacity(ctx, capacity, video)
  const selection = selectJobTrack(job, video)
  obtaining.onFetchingCaptions(video.info)
  const completing = completeInfo(video)
  const { key } = selection.track
  const stored =
    known && known.transcripts.length > 0 ? await findTranscript(ctx.db, job.videoId, key, oldestCues(obtaining)) : null
  const obtained = stored ?? (await fetchTranscript(video, selection.track))
  const info = await completing
  const transcript = await lease.endWith((held) =>
    retryThroughOutage(signal, () => saveFetchedVideo(ctx.db, held, { ...video, info }, obtained)),
  )
  return transcript && { info, transcript, ...selection, ...('cues' in obtained && { cues: obtained.cues }) }
}

/** Stores the size of a video for which there is no capacity, so that the next try need not ask the platform again. */
async function claimCapacity(ctx: WorkerContext, capacity: LargeVideoClaim, video: SourcedVideo): Promise<void> {
  try {
    capacity.claim({ seconds: video.info.duration_seconds })
  } catch (error) {
    await saveVideo(ctx.db, video)
    throw error
  }
}

async function completeInfo({ info, fetchPublishedAt }: SourcedVideo): Promise<VideoInfo> {
  if (info.published_at !== null || !fetchPublishedAt) return info
  return { ...info, published_at: await fetchPublishedAt() }
}

async function fetchTranscript(video: SourcedVideo, track: CaptionTrack): Promise<NewTranscript> {
  const { cues, cleaning } = await video.fetchTranscript(track)
  return { id: newId(), videoId: video.info.video_id, track, cues, cleaning }
}
