import { buildJobEvent, describeResult, type JobEvent } from '@subtext/core/jobs'
import type { Job } from '@subtext/db'
import { RENDERERS } from '@subtext/render'
import type { ProcessedVideo } from './process-video.ts'

/** `job.completed`: the full result, as `format=json` gives it. */
export async function buildCompletedEvent(job: Job, done: ProcessedVideo): Promise<JobEvent> {
  const { result, track, cleaning, summaries } = done
  const cues = async function* () {
    yield done.cues
  }
  const pieces = RENDERERS.json.render(describeResult(job, result, { track, cleaning }, summaries, cues))
  const data: Buffer[] = []
  for await (const piece of pieces) data.push(Buffer.from(piece))
  return buildJobEvent('job.completed', result.completedAt, data)
}
