import type { McpServer } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { quote } from '../quote.ts'
import { describeVideo, fetchResult, type Part, writeText } from '../result-text.ts'
import { cursor, jobId, maxChars, textResult } from '../schemas.ts'
import { MAX_TEXT_CHARS, pageOf } from '../text-page.ts'
import { toErrorResult, toResult } from '../tool-result.ts'

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Characters for what surrounds a text: the marks of a quotation, and where it continues. */
const FRAME_CHARS = 320

export interface PageRequest {
  jobId: string
  part: Part
  cursor?: string
  maxChars?: number
  signal: AbortSignal
}

/** Returns a page of a job's texts. The rest of a long text is one more call away. */
export async function readPage(subtext: Subtext, { jobId, part, cursor, maxChars, signal }: PageRequest) {
  const result = await fetchResult(subtext, jobId, signal)
  const page = pageOf(writeText(result, part), cursor, (maxChars ?? MAX_TEXT_CHARS) - FRAME_CHARS)
  const rest = page.next_cursor && `\n\n[There is more: call get_video_result with cursor "${page.next_cursor}".]`
  const structured = { job_id: jobId, status: 'completed' as const, video: describeVideo(result), ...page }
  return toResult(structured, `${quote(page.text)}${rest ?? ''}`)
}

/** Registers the tools that read results. */
export function registerResultTools(server: McpServer, subtext: Subtext): void {
  server.registerTool(
    'get_video_result',
    {
      title: 'Result of a video job',
      description: 'Returns the summaries, the transcript or both of a completed job as Markdown.',
      inputSchema: z.strictObject({
        job_id: jobId,
        include: z.enum(['summaries', 'transcript', 'all']).default('summaries').describe('What to return.'),
        cursor,
        max_chars: maxChars,
      }),
      outputSchema: textResult,
      annotations: READ_ONLY,
    },
    async ({ job_id, include, cursor, max_chars }, ctx) => {
      try {
        const { signal } = ctx.mcpReq
        return await readPage(subtext, { jobId: job_id, part: include, cursor, maxChars: max_chars, signal })
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
      inputSchema: z.strictObject({
        job_id: jobId,
        include_transcript: z.boolean().default(false).describe('Also include the whole transcript.'),
        cursor,
      }),
      outputSchema: textResult,
      annotations: READ_ONLY,
    },
    async ({ job_id, include_transcript, cursor }, ctx) => {
      try {
        const part = include_transcript ? 'all' : 'summaries'
        return await readPage(subtext, { jobId: job_id, part, cursor, signal: ctx.mcpReq.signal })
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}
