import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { DefaultResult, Subtext } from '@subtext/sdk'
import { SUMMARY_MODES } from '@subtext/sdk/vocabulary'
import { toProtocolError } from './protocol-error.ts'
import { quotePage } from './quoted-page.ts'
import { fetchResult, nestHeadings, type ResultPart, writeText } from './result-text.ts'
import { cursorAt } from './text-page.ts'
import { startTimeLimit } from './time-limit.ts'

const variable = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

async function readResult(subtext: Subtext, jobId: string, signal: AbortSignal): Promise<DefaultResult> {
  try {
    return await fetchResult(subtext, jobId, startTimeLimit(signal))
  } catch (error) {
    throw toProtocolError(error)
  }
}

/**
 * Returns the first page of the last text in a part of a result, quoted. Its cursor counts from the start of the part, because
 * resources have no further pages: `get_video_result` returns the rest.
 */
function showLast(uri: URL, text: string, part: ResultPart, result: DefaultResult) {
  const all = writeText(result, part)
  const cursor = cursorAt(all.length - text.length)
  const { quoted } = quotePage(all, { jobId: result.job_id, part, cursor })
  return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: quoted }] }
}

/** Returns a result without the summaries that follow one. */
function endWith(mode: string, result: DefaultResult): DefaultResult {
  const summaries = Object.entries(result.summaries)
  const end = summaries.findIndex(([each]) => each === mode) + 1
  return { ...result, summaries: Object.fromEntries(summaries.slice(0, end)) }
}

/** Registers the texts of completed jobs as resources. */
export function registerResources(server: McpServer, subtext: Subtext): void {
  server.registerResource(
    'video-transcript',
    new ResourceTemplate('video://{job_id}/transcript', { list: undefined }),
    { title: 'Transcript of a video', description: 'The transcript of a completed job.', mimeType: 'text/markdown' },
    async (uri, { job_id }, ctx) => {
      const result = await readResult(subtext, variable(job_id), ctx.mcpReq.signal)
      return showLast(uri, result.transcript.text, 'transcript', result)
    },
  )
  server.registerResource(
    'video-summary',
    new ResourceTemplate('video://{job_id}/summary/{mode}', {
      list: undefined,
      complete: { mode: (value) => SUMMARY_MODES.filter((mode) => mode.startsWith(value)) },
    }),
    { title: 'Summary of a video', description: 'One summary of a completed job.', mimeType: 'text/markdown' },
    async (uri, { job_id, mode }, ctx) => {
      const result = await readResult(subtext, variable(job_id), ctx.mcpReq.signal)
      const wanted = SUMMARY_MODES.find((each) => each === variable(mode))
      const text = wanted && result.summaries[wanted]
      if (wanted === undefined || text === undefined) throw new ResourceNotFoundError(uri.href)
      return showLast(uri, nestHeadings(text), 'summaries', endWith(wanted, result))
    },
  )
}
