import { buildInfographicUrl, findInfographic } from '@subtext/core/infographics'
import { describeResult, type Job } from '@subtext/core/jobs'
import { newEnvelope, toEvent, type WebhookEvent } from '@subtext/core/webhooks'
import { RENDERERS, streamJson, writeJson } from '@subtext/render'
import type { WorkerContext } from '../context.ts'
import type { ProcessedVideo } from './process-video.ts'

/** Builds the event `job.completed`, whose `data` is the full result as returned for `format=json`. */
export async function buildCompletedEvent(
  ctx: Pick<WorkerContext, 'db' | 'publicBaseUrl'>,
  job: Job,
  done: ProcessedVideo,
): Promise<WebhookEvent> {
  const { result, track, cleaning, summaries, extractions } = done
  const drawn = job.options.generate_infographic ? await findInfographic(ctx.db, job.id) : null
  const cues = async function* () {
    yield done.cues
  }
  const data = RENDERERS.json.render({
    ...describeResult(job, result, { track, cleaning }, { summaries, extractions }, cues),
    infographic: drawn?.drawnAt
      ? { url: buildInfographicUrl(ctx.publicBaseUrl, drawn, result.completedAt), altText: drawn.altText }
      : null,
  })
  const envelope = newEnvelope('job.completed', result.completedAt)
  const body: Buffer[] = []
  for await (const piece of writeJson({ ...envelope, data: streamJson(data) })) body.push(Buffer.from(piece))
  return toEvent(envelope, Buffer.concat(body))
}
