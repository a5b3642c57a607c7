import type { CaptionTrack, CleaningReport, Cue, Summary } from '@subtext/contracts'
import type { Job, StoredResult } from '@subtext/db'

/** The caller's own references, where it gave any, by their names on the wire. */
export const describeAttribution = (job: Pick<Job, 'serviceName' | 'agentName' | 'clientReference'>) => ({
  ...(job.serviceName !== null && { service_name: job.serviceName }),
  ...(job.agentName !== null && { agent_name: job.agentName }),
  ...(job.clientReference !== null && { client_reference: job.clientReference }),
})

/** Everything a finished job shows, as the renderers want it; the same for the API and for the webhook. */
export const describeResult = (
  job: Job,
  result: StoredResult,
  { track, cleaning }: { track: CaptionTrack; cleaning?: CleaningReport | null },
  summaries: Summary[],
  cues: () => AsyncIterable<Cue[]>,
) => ({
  jobId: job.id,
  videoInfo: result.videoInfo,
  track,
  cleaning,
  comments: result.comments,
  selectionReason: result.selectionReason,
  truncated: result.truncated,
  summaries,
  citedStarts: new Map(Object.entries(result.citedStarts).map(([segment, startMs]) => [Number(segment), startMs])),
  usage: result.usage,
  processingSeconds: result.processingMs / 1_000,
  completedAt: result.completedAt,
  attribution: describeAttribution(job),
  cues,
})
