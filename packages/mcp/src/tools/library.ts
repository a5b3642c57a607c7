import type { McpServer } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { quote } from '../quote.ts'
import { readingLoosely } from '../read-arguments.ts'
import { TOOL_META } from '../schemas.ts'
import { startTimeLimit } from '../time-limit.ts'
import { toErrorResult, toResult } from '../tool-result.ts'

const MAX_HITS = 20

const result = z.object({
  hits: z.array(
    z.object({
      job_id: z.string(),
      video_title: z.string(),
      video_url: z.string(),
      passages: z.array(z.object({ start: z.number(), url: z.string(), text: z.string() })),
    }),
  ),
  next_cursor: z.string().optional(),
})

/** Registers the tool that searches in all videos of the account. */
export function registerLibraryTool(server: McpServer, { library }: Subtext): void {
  server.registerTool(
    'search_library',
    {
      title: 'Search the library',
      description: 'Finds what was said in the videos that were processed before, with the moment of each passage.',
      inputSchema: readingLoosely(
        z.strictObject({
          query: z.string().min(1).max(200).describe('Words, "phrases" and -without; or a question.'),
          kind: z
            .enum(['words', 'question'])
            .default('words')
            .describe('words: all are said. question: any may be missing.'),
          limit: z.int().min(1).max(MAX_HITS).default(5).describe('Number of videos.'),
          cursor: z.string().max(200).optional().describe('next_cursor of the previous result.'),
        }),
      ),
      outputSchema: result,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: TOOL_META,
    },
    async ({ query, kind, limit, cursor }, ctx) => {
      try {
        const { items, pagination } = await startTimeLimit(ctx.mcpReq.signal).send((options) =>
          library.search(query, { kind, limit }, options).page(cursor),
        )
        const hits = items.map(({ job_id, video_title, video_url, passages }) => ({
          job_id,
          video_title,
          video_url,
          passages: passages.map(({ start, url, text }) => ({ start, url, text })),
        }))
        const found = { hits, ...(pagination.next_cursor && { next_cursor: pagination.next_cursor }) }
        return toResult(found, quote(JSON.stringify(found, null, 2)))
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}
