import type { CaptionTrack, SelectionReason, VideoInfo, Warning } from '@subtext/contracts'
import { retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import {
  findTranscript,
  findVideo,
  type Job,
  type StoredResult,
  saveTranscript,
  saveVideo,
  type TranscriptHead,
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
  const { signal, capacity } = options
  // A refresh accepts anything fetched since it was requested, even by another job or an earlier try of this one.
  const videoNotBefore = job.forceRefresh ? job.createdAt : new Date(ctx.clock().getTime() - VIDEO_MAX_AGE_MS)
  const cuesNotBefore = job.forceRefresh ? job.createdAt : ANY_TIME

  const askedAt = performance.now()
  const question = JSON.stringify([job.videoId, job.useProxy, job.options.language, job.options.track_preference])

  const find = async (): Promise<ObtainedTranscript | null> => {
    const failure = ctx.recentFailures.find(question, askedAt)
    if (failure) throw failure
    const video = await findVideo(ctx.db, job.videoId)
    if (video) capacity.claim({ seconds: video.info.duration_seconds })
    if (!video || video.fetchedAt < videoNotBefore) return null
    const selection = selectJobTrack(job, video)
    const transcript = await findTranscript(ctx.db, job.videoId, selection.track.key, cuesNotBefore)
    return transcript && { info: video.info, transcript, ...selection }
  }
  const fetch = async (): Promise<ObtainedTranscript> => {
    const video = await ctx.source.fetchVideo(job.videoId, { signal, useProxy: job.useProxy })
    await claimCapacity(ctx, capacity, video)
    const selection = selectJobTrack(job, video)
    options.onFetchingCaptions(video.info)
    const completing = completeInfo(video)
    const stored = await findTranscript(ctx.db, job.videoId, selection.track.key, cuesNotBefore)
    const transcript =
      stored ?? (await fetchTranscript(ctx, video, selection.track, { notBefore: cuesNotBefore, signal }))
    const info = await completing
    await retryThroughOutage(signal, () => saveVideo(ctx.db, { ...video, info }))
    return { info, transcript, ...selection }
  }
  const produce = async (): Promise<ObtainedTranscript> => {
    try {
      return await fetch()
    } catch (error) {
      ctx.recentFailures.remember(question, error)
      throw error
    }
  }
  const { leaseSeconds } = ctx.work
  return singleFlight(ctx, `video:${job.videoId}`, signal, { find, produce, leaseSeconds })
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

/**
 * Fetches and stores a transcript. If this job lost its right to fetch meanwhile, it gets the transcript of the job that took
 * over. Stores it through outages of the database and full disks, too: a repeated job would ask the platform again.
 */
async function fetchTranscript(
  ctx: WorkerContext,
  video: SourcedVideo,
  track: CaptionTrack,
  { notBefore, signal }: { notBefore: Date; signal: AbortSignal },
): Promise<TranscriptHead> {
  const { cues, cleaning } = await video.fetchTranscript(track)
  const transcript = { id: newId(), videoId: video.info.video_id, track, cues, cleaning }
  return retryThroughOutage(signal, () => saveTranscript(ctx.db, transcript, notBefore))
}
