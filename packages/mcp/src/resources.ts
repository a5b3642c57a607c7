import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { DefaultResult, Subtext } from '@subtext/sdk'
import { toProtocolError } from './protocol-error.ts'
import { fetchResult } from './result-text.ts'
import { MODES } from './schemas.ts'

const textOf = (uri: URL, text: string) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] })
const variable = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

async function readResult(subtext: Subtext, jobId: string, signal: AbortSignal): Promise<DefaultResult> {
  try {
    return await fetchResult(subtext, jobId, signal)
  } catch (error) {
    throw toProtocolError(error)
  }
}

/** Registers the texts of completed jobs as resources. */
export function registerResources(server: McpServer, subtext: Subtext): void {
  server.registerResource(
    'video-transcript',
    new ResourceTemplate('video://{job_id}/transcript', { list: undefined }),
    { title: 'Transcript of a video', description: 'The transcript of a completed job.', mimeType: 'text/markdown' },
    async (uri, { job_id }, ctx) => {
      const { transcript } = await readResult(subtext, variable(job_id), ctx.mcpReq.signal)
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
      const { summaries } = await readResult(subtext, variable(job_id), ctx.mcpReq.signal)
      const wanted = MODES.find((each) => each === variable(mode))
      const text = wanted && summaries[wanted]
      if (text === undefined) throw new ResourceNotFoundError(uri.href)
      return textOf(uri, text)
    },
  )
}
