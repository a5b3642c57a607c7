import type { McpServer } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { type PageOptions, quotePage } from '../quoted-page.ts'
import { readingLoosely } from '../read-arguments.ts'
import { describeVideo, fetchResult, writeText } from '../result-text.ts'
import { cursor, jobId, maxChars, TOOL_META, textResult } from '../schemas.ts'
import { startTimeLimit, type TimeLimit } from '../time-limit.ts'
import { toErrorResult, toResult } from '../tool-result.ts'

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export interface ResultPageRequest extends PageOptions {
  limit: TimeLimit
}

/** Returns a page of a job's texts. The rest of a long text is one more call away. */
export async function readPage(subtext: Subtext, { limit, ...options }: ResultPageRequest) {
  const { jobId, part } = options
  const result = await fetchResult(subtext, jobId, limit)
  const { page, quoted } = quotePage(writeText(result, part), options)
  return toResult({ job_id: jobId, status: 'completed', video: describeVideo(result), ...page }, quoted)
}

/** Registers the tools that read results. */
export function registerResultTools(server: McpServer, subtext: Subtext): void {
  server.registerTool(
    'get_video_result',
    {
      title: 'Result of a video job',
      description: 'Returns the summaries, the transcript or both of a completed job as Markdown.',
      inputSchema: readingLoosely(
        z.strictObject({
          job_id: jobId,
          include: z.enum(['summaries', 'transcript', 'all']).default('summaries').describe('What to return.'),
          cursor,
          max_chars: maxChars,
        }),
      ),
      outputSchema: textResult,
      annotations: READ_ONLY,
      _meta: TOOL_META,
    },
    async ({ job_id, include, cursor, max_chars }, ctx) => {
      try {
        const limit = startTimeLimit(ctx.mcpReq.signal)
        return await readPage(subtext, { jobId: job_id, part: include, cursor, maxChars: max_chars, limit })
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
  server.registerTool(
    'export_video_markdown',
    {
      title: 'Export a video as Markdown',
      description: 'Converts the result of a completed job to one Markdown document.',
      inputSchema: readingLoosely(
        z.strictObject({
          job_id: jobId,
          include_transcript: z.boolean().default(false).describe('Also include the whole transcript.'),
          cursor,
        }),
      ),
      outputSchema: textResult,
      annotations: READ_ONLY,
      _meta: TOOL_META,
    },
    async ({ job_id, include_transcript, cursor }, ctx) => {
      try {
        const limit = startTimeLimit(ctx.mcpReq.signal)
        const part = include_transcript ? 'all' : 'summaries'
        return await readPage(subtext, { jobId: job_id, part, cursor, limit })
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}
