import { isTrackWarning } from '@subtext/captions'
import { ServiceError } from '@subtext/contracts'
import { findJob, findResult, type Job } from '@subtext/core/jobs'
import type { WorkerContext } from '../context.ts'
import type { ObtainedTranscript } from './obtain-transcript.ts'

/** Returns the video and the transcript of the job that this one extends, without a request to the platform. */
export async function findSource(
  ctx: Pick<WorkerContext, 'db'>,
  { userId, videoUrl }: Job,
  sourceId: string,
): Promise<ObtainedTranscript> {
  const [source, result] = await Promise.all([findJob(ctx.db, userId, sourceId), findResult(ctx.db, sourceId)])
  if (!source || !result) {
    // The purge never deletes the source of an unfinished job.
    throw new ServiceError('INTERNAL_ERROR', { retryable: false, cause: `The source ${sourceId} was deleted.` })
  }
  const { transcriptId: id, track, cleaning, cueCount } = result
  return {
    // The page of an import is that of its own job.
    info: { ...result.videoInfo, ...(videoUrl !== null && { url: videoUrl }) },
    transcript: { id, track, cleaning, cueCount },
    selectionReason: result.selectionReason,
    warnings: source.warnings.filter(isTrackWarning),
    source: result,
  }
}
