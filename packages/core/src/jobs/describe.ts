import type { CaptionTrack, CleaningReport, Cue, Extraction, Summary } from '@subtext/contracts'
import type { ShownJob } from './job-row.ts'
import type { StoredResult } from './result-sql.ts'

/** Returns the references that the caller supplied, if any, under their names in the API. */
export const describeAttribution = (job: Pick<ShownJob, 'serviceName' | 'agentName' | 'clientReference'>) => ({
  ...(job.serviceName !== null && { service_name: job.serviceName }),
  ...(job.agentName !== null && { agent_name: job.agentName }),
  ...(job.clientReference !== null && { client_reference: job.clientReference }),
})

/** Returns all that is shown of a finished job, as the renderers expect it; the API and the webhook share it. */
export const describeResult = (
  job: ShownJob,
  result: StoredResult,
  { track, cleaning }: { track: CaptionTrack; cleaning?: CleaningReport | null },
  { summaries, extractions }: { summaries: Summary[]; extractions: Extraction[] },
  cues: () => AsyncIterable<Cue[]>,
) => ({
  jobId: job.id,
  videoInfo: result.videoInfo,
  track,
  cleaning,
  comments: result.comments,
  selectionReason: result.selectionReason,
  truncated: result.truncated,
  outputLanguage: job.options.output_language,
  summaries,
  extractions: job.options.templates || extractions.length > 0 ? extractions : undefined,
  citedStarts: new Map(Object.entries(result.citedStarts).map(([segment, startMs]) => [Number(segment), startMs])),
  usage: result.usage,
  processingSeconds: result.processingMs / 1_000,
  completedAt: result.completedAt,
  attribution: describeAttribution(job),
  cues,
})
