import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Subtext } from '@subtext/sdk'
import { fetchResult } from './result-text.ts'
import { MODES } from './schemas.ts'

const textOf = (uri: URL, text: string) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] })
const variable = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

/** Registers the texts of completed jobs as resources. */
export function registerResources(server: McpServer, subtext: Subtext): void {
  server.registerResource(
    'video-transcript',
    new ResourceTemplate('video://{job_id}/transcript', { list: undefined }),
    { title: 'Transcript of a video', description: 'The transcript of a completed job.', mimeType: 'text/markdown' },
    async (uri, { job_id }, ctx) => {
      const { transcript } = await fetchResult(subtext, variable(job_id), ctx.mcpReq.signal)
      return textOf(uri, transcript.text)
    },
  )
  server.registerResource(
    'video-summary',
    new ResourceTemplate('video://{job_id}/summary/{mode}', {
      list: undefined,
      complete: { mode: (value) => MODES.filter((mode) => mode.startsWith(value)) },
    }),
    { title: 'Summary of a video', description: 'One summary of a completed job.', mimeType: 'text/markdown' },
    async (uri, { job_id, mode }, ctx) => {
      const { summaries } = await fetchResult(subtext, variable(job_id), ctx.mcpReq.signal)
      const text = summaries[variable(mode) as (typeof MODES)[number]]
      if (text === undefined) throw new Error(`The job has no summary "${variable(mode)}".`)
      return textOf(uri, text)
    },
  )
}
