import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { type Job, type Subtext, TimeoutError } from '@subtext/sdk'
import { z } from 'zod'
import { describeJob } from '../describe-job.ts'
import { jobState, submission, textResult } from '../schemas.ts'
import { toErrorResult, toResult } from '../tool-result.ts'
import { readPage } from './results.ts'

export const SUMMARIZE_TOOL = 'summarize_platform_video'

/** Clients give up on a call after 60 seconds. */
const DEFAULT_TIMEOUT_SECONDS = 45
const MAX_TIMEOUT_SECONDS = 300

const output = z.object({
  ...jobState.shape,
  next: z.string().optional(),
  ...textResult.omit({ job_id: true, status: true }).partial().shape,
})

/** Registers the tool that does everything in one call, as far as the client waits. */
export function registerSummarizeTool(server: McpServer, subtext: Subtext): void {
  server.registerTool(
    SUMMARIZE_TOOL,
    {
      title: 'Summarize a video',
      description:
        'Summarizes a public video and returns the summaries as Markdown. A video that takes longer than timeout_seconds continues: the result then has status "processing" and the job ID.',
      inputSchema: z.strictObject({
        ...submission,
        timeout_seconds: z
          .int()
          .min(1)
          .max(MAX_TIMEOUT_SECONDS)
          .default(DEFAULT_TIMEOUT_SECONDS)
          .describe('Maximum time to wait. Most clients give up after 60 seconds.'),
      }),
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    async ({ video_url, summary_modes, language, custom_instructions, timeout_seconds }, ctx) => {
      try {
        const { signal } = ctx.mcpReq
        const request = { url: video_url, options: { summary_modes, language }, custom_instructions }
        const { job_id } = await subtext.videos.submit(request, { signal })
        const job = await waitOrGiveUp(subtext, job_id, timeout_seconds, ctx)
        if (job.status === 'queued' || job.status === 'processing') return toResult(describeJob(job))
        // The result of a failed job is its error.
        return await readPage(subtext, { jobId: job_id, part: 'summaries', signal })
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}

/** Waits for a job and reports its progress. Returns its state when it has ended, or after the time. */
async function waitOrGiveUp(subtext: Subtext, jobId: string, seconds: number, ctx: ServerContext): Promise<Job> {
  const { signal, _meta, notify } = ctx.mcpReq
  const progressToken = _meta?.progressToken
  let last = -1
  const onProgress = ({ progress_percentage: progress, current_step }: Job): void => {
    if (progressToken === undefined || progress <= last) return
    last = progress
    const message = current_step.replaceAll('_', ' ')
    const params = { progressToken, progress, total: 100, message }
    // A client that has gone away needs no progress.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  try {
    return await subtext.videos.waitFor(jobId, { signal, timeoutMs: seconds * 1_000, onProgress })
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    return subtext.videos.status(jobId, { signal })
  }
}
