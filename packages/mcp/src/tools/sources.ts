import type { McpServer } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { quote } from '../quote.ts'
import { readingLoosely } from '../read-arguments.ts'
import { TOOL_META } from '../schemas.ts'
import { startTimeLimit } from '../time-limit.ts'
import { toErrorResult, toResult } from '../tool-result.ts'

const PAGE_VIDEOS = 50
/** Seconds for which one call waits for a listing. Clients give up after a minute. */
const WAIT_SECONDS = 35
const SOURCE_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

const result = z.object({
  source_id: z.string(),
  title: z.string().optional(),
  status: z.string(),
  videos_total: z.int().optional(),
  videos: z.array(
    z.object({
      video_url: z.string(),
      video_id: z.string().optional(),
      title: z.string(),
      type: z.string(),
      reason: z.string().optional(),
      job_id: z.string().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
})

/** Registers the tool that lists the videos of playlists and channels, and the episodes of podcasts. */
export function registerSourceTool(server: McpServer, { sources }: Subtext): void {
  server.registerTool(
    'list_source_videos',
    {
      title: 'List a playlist, channel or podcast',
      description:
        'Lists the videos of a playlist or channel, or the episodes of a podcast. Those with a job_id were processed before.',
      inputSchema: readingLoosely(
        z.strictObject({
          source: z.string().min(1).max(2048).describe('URL (of a podcast: its feed), @handle or source_id.'),
          cursor: z.string().max(200).optional().describe('next_cursor of the previous result.'),
        }),
      ),
      outputSchema: result,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      _meta: TOOL_META,
    },
    async ({ source: named, cursor }, ctx) => {
      try {
        const limit = startTimeLimit(ctx.mcpReq.signal)
        const asked = SOURCE_ID.test(named)
          ? await limit.send((options) => sources.get(named, options))
          : await limit.send((options) => sources.ask(named, options))
        const source =
          asked.status === 'listing'
            ? await limit.send((options) => sources.get(asked.source_id, { ...options, wait: WAIT_SECONDS }))
            : asked
        const { source_id, title, status, videos_total } = source
        const head = { source_id, ...(title !== undefined && { title }), status }
        // The model calls again with the same arguments.
        if (status === 'listing') return toResult({ ...head, videos: [] })
        const { items, pagination } = await limit.send((options) =>
          sources.videos(source_id, { limit: PAGE_VIDEOS }, options).page(cursor),
        )
        const found = {
          ...head,
          videos_total,
          videos: items.map(({ video_url, video_id, title: name, type, reason, job_id }) => ({
            video_url,
            // An episode has no other name that the tools take.
            ...(type === 'episode' && { video_id }),
            title: name,
            type,
            ...(reason && { reason }),
            ...(job_id && { job_id }),
          })),
          ...(pagination.next_cursor && { next_cursor: pagination.next_cursor }),
        }
        return toResult(found, quote(JSON.stringify(found, null, 2)))
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}
