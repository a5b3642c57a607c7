import { ServiceError } from '@subtext/contracts'
import type { ImportedRecording, Job } from '@subtext/core/jobs'
import { findImportedTranscript } from '@subtext/core/transcripts'
import type { WorkerContext } from '../context.ts'
import type { ObtainedTranscript } from './obtain-transcript.ts'

/** Returns what a job has imported. Nothing about it is asked of the platform. */
export async function findImport(
  ctx: Pick<WorkerContext, 'db'>,
  { userId }: Job,
  { transcriptId, info }: ImportedRecording,
): Promise<ObtainedTranscript> {
  const transcript = await findImportedTranscript(ctx.db, transcriptId, userId)
  if (!transcript) {
    // The purge never deletes the captions of an unfinished job.
    throw new ServiceError('INTERNAL_ERROR', { retryable: false, cause: `The import ${transcriptId} was deleted.` })
  }
  return { info, transcript, selectionReason: 'imported', warnings: [] }
}
