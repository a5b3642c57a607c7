import type { McpServer } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { askWhich } from '../ask-which.ts'
import { describeJob } from '../describe-job.ts'
import { readingLoosely } from '../read-arguments.ts'
import { jobId, jobState, submission, TOOL_META, toRequest, toSubject } from '../schemas.ts'
import { startTimeLimit } from '../time-limit.ts'
import { describeError, toErrorResult, toResult } from '../tool-result.ts'
import { EITHER_SUBJECT } from './summarize.ts'

/** Registers the tools that submit a video and look at its job. */
export function registerJobTools(server: McpServer, { videos }: Subtext): void {
  server.registerTool(
    'process_platform_video',
    {
      title: 'Process a video',
      description:
        'Queues a video or an episode of a podcast and returns the job ID at once. Use it for several videos at a time; for one, summarize_platform_video is simpler.',
      inputSchema: readingLoosely(
        z.strictObject({
          ...submission,
          force_refresh: z.boolean().optional().describe('Read and summarize again instead of reusing stored results.'),
          client_reference: z.string().max(255).optional().describe('A reference of your own, returned with the job.'),
        }),
      ),
      outputSchema: jobState,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      _meta: TOOL_META,
    },
    async ({ force_refresh, client_reference, video_url, source, ...submitted }, ctx) => {
      const named = toSubject({ video_url, source })
      if (!named) return describeError(EITHER_SUBJECT)
      try {
        const unclear = video_url === undefined ? null : await askWhich(server, ctx, video_url)
        if (unclear) return unclear
        const request = { ...named, ...toRequest(submitted), force_refresh, client_reference }
        const job = await startTimeLimit(ctx.mcpReq.signal).send((options) => videos.submit(request, options))
        return toResult(describeJob(job))
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
  server.registerTool(
    'get_video_job_status',
    {
      title: 'Status of a video job',
      description: 'Tells whether a job is queued, processing, completed or failed, and what to call next.',
      inputSchema: readingLoosely(z.strictObject({ job_id: jobId })),
      outputSchema: jobState,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: TOOL_META,
    },
    async ({ job_id }, ctx) => {
      try {
        const job = await startTimeLimit(ctx.mcpReq.signal).send((options) => videos.status(job_id, options))
        return toResult(describeJob(job))
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}
