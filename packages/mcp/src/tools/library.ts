import type { McpServer } from '@modelcontextprotocol/server'
import type { LibraryQuestion, Subtext } from '@subtext/sdk'
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

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Registers the tools about all videos of the account. */
export function registerLibraryTools(server: McpServer, subtext: Subtext): void {
  registerSearchTool(server, subtext)
  registerAskTool(server, subtext)
}

const answer = z.object({
  conversation_id: z.string(),
  answer_kind: z.string(),
  answer: z.string(),
  citations: z.array(z.object({ job_id: z.string(), video_title: z.string(), url: z.string(), text: z.string() })),
})

/** The videos that a question is about. */
const scope = z
  .strictObject({
    batch_id: z.string().optional(),
    job_ids: z.array(z.string()).max(500).optional(),
    source_id: z.string().optional(),
    all: z.literal(true).optional(),
  })
  .optional()
  .describe('One of these. Default: all videos.')

function registerAskTool(server: McpServer, { library }: Subtext): void {
  server.registerTool(
    'ask_library',
    {
      title: 'Ask the library',
      description: 'Answers a question from videos that were processed before. Every sentence cites its moments.',
      inputSchema: readingLoosely(
        z.strictObject({
          question: z.string().min(1).max(2_000),
          conversation_id: z.string().optional().describe('Continues a conversation, with its scope.'),
          scope,
        }),
      ),
      outputSchema: answer,
      annotations: { ...READ_ONLY, readOnlyHint: false, idempotentHint: false },
      _meta: TOOL_META,
    },
    async ({ question, conversation_id, scope: asked }, ctx) => {
      try {
        const isNamed = asked !== undefined && Object.keys(asked).length > 0
        const selected = isNamed ? asked : conversation_id === undefined ? { all: true } : undefined
        const request = { message: question, conversation_id, scope: selected } as LibraryQuestion
        const given = await startTimeLimit(ctx.mcpReq.signal).send((options) => library.chat.ask(request, options))
        const found = {
          conversation_id: given.conversation_id,
          answer_kind: given.answer_kind,
          answer: given.message.content,
          citations: given.citations.map(({ job_id, video_title, url, text }) => ({ job_id, video_title, url, text })),
        }
        return toResult(found, quote(JSON.stringify(found, null, 2)))
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}

function registerSearchTool(server: McpServer, { library }: Subtext): void {
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
          cursor: z.string().max(400).optional().describe('next_cursor of the previous result.'),
        }),
      ),
      outputSchema: result,
      annotations: READ_ONLY,
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
