import type { CallToolResult } from '@modelcontextprotocol/server'
import { readableMessage, SubtextError } from '@subtext/sdk'
import { InvalidCursorError } from './text-page.ts'

/** Returns a result with structured content, and as text either that or a form that reads better. */
export const toResult = (
  structured: Record<string, unknown>,
  text = JSON.stringify(structured, null, 2),
): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: structured,
})

const SUBMIT_AGAIN = 'The job has failed. Submit the video again later.'

/** What a language model can do about an error, by code. */
const NEXT_STEPS: Record<string, string> = {
  UNAUTHORIZED: 'Ask the user for a valid API key: the MCP client sends it as "Authorization: Bearer sk_...".',
  PLAN_UPGRADE_REQUIRED: 'Leave out what the plan does not include, or tell the user which plan is needed.',
  QUOTA_EXCEEDED: 'Tell the user that the quota is used up, and when it is reset.',
  RATE_LIMITED: 'Wait before the next call.',
  INVALID_VIDEO_URL: 'Ask the user for the URL of a single video.',
  VALIDATION_ERROR: 'Correct the arguments and call the tool again.',
  NOT_FOUND: 'Check the ID. Job IDs come from process_platform_video, summarize_platform_video and search_library.',
  JOB_NOT_COMPLETED: 'Call get_video_job_status until the job has ended.',
  INSUFFICIENT_SCOPE: 'Ask the user for a key with the scope that is missing.',
  PLAYLIST_NOT_SUPPORTED: 'List its videos with list_source_videos, and call the tool once for each of them.',
  SOURCE_UNAVAILABLE: 'Tell the user that the playlist or channel cannot be listed, and why.',
  NOT_CHOSEN: 'Ask the user, and call the tool with the URL of the video without the parameter "list".',
  JOB_CANCELLED: 'Tell the user that the job was cancelled.',
  AGE_RESTRICTED: 'Tell the user that the video is age-restricted and cannot be read. Another attempt will not help.',
  GEO_BLOCKED: 'Tell the user that the video is not available in the region of the service.',
  LIVE_NOT_ENDED: 'Tell the user to try again when the live stream has ended.',
  VIDEO_NOT_ACCESSIBLE: 'Tell the user that the video is for members or paying viewers only.',
  TRANSCRIPT_UNAVAILABLE: 'Tell the user that this video has no captions to read. Another attempt will not help.',
  VIDEO_UNAVAILABLE: 'Tell the user that the video does not exist or was removed.',
  UPSTREAM_BLOCKED: 'The job has failed. Submit the video again in some minutes.',
  UPSTREAM_UNAVAILABLE: SUBMIT_AGAIN,
  SUMMARY_UNAVAILABLE: SUBMIT_AGAIN,
  PROCESSING_TIMEOUT: SUBMIT_AGAIN,
  CONNECTION_ERROR: 'Tell the user that the Subtext service cannot be reached.',
}

/** Returns the result for an error that the model or the user can do something about. Others are thrown. */
export function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof InvalidCursorError) return describeError({ code: 'VALIDATION_ERROR', message: error.message })
  if (!(error instanceof SubtextError)) throw error
  const { code, details, jobId, retryable } = error
  const described = { code, message: messageOf(error), details, job_id: jobId, retryable }
  return describeError(nameArguments(described, readIssues(details)))
}

interface Issue {
  path: string
  message: string
}

const isIssue = (value: Partial<Issue> | null): boolean =>
  typeof value?.path === 'string' && typeof value.message === 'string'

/** Returns the issues of an error of the API, and none if something else has sent it. */
const readIssues = (details: Record<string, unknown> | undefined): Issue[] =>
  Array.isArray(details?.issues) && details.issues.every(isIssue) ? details.issues : []

/** Returns the argument of a tool that is sent as a field of the API. */
const argumentOf = (path: string): string => (path === 'url' ? 'video_url' : path.replace(/^options\./, ''))

/** Replaces the fields of the API that an error names by the arguments of the tool. */
function nameArguments(error: DescribedError, issues: Issue[]): DescribedError {
  if (issues.length === 0) return error
  const rename = (text: string, { path }: Issue): string => text.replaceAll(`\`${path}\``, `\`${argumentOf(path)}\``)
  const named = issues.map((issue) => ({
    ...issue,
    path: argumentOf(issue.path),
    message: rename(issue.message, issue),
  }))
  return { ...error, message: issues.reduce(rename, error.message), details: { ...error.details, issues: named } }
}

export const NOT_UNDERSTOOD = 'The Subtext service responded with something that is not an answer of its API.'

/** Replaces messages that name the address of the API, which is an internal one if the service runs this server. */
const WITHOUT_ADDRESS: Record<string, string> = {
  CONNECTION_ERROR: 'The connection to the Subtext service failed.',
  TIMEOUT: 'The Subtext service did not respond in time.',
  INVALID_RESPONSE: `${NOT_UNDERSTOOD} Check SERVICE_API_BASE.`,
}

/** Returns what may be said about an error. */
export const messageOf = (error: SubtextError): string =>
  (/https?:\/\//.test(error.message) && WITHOUT_ADDRESS[error.code]) || readableMessage(error)

interface DescribedError {
  code: string
  message: string
  details?: Record<string, unknown>
  job_id?: string
  retryable?: boolean
}

/** Returns an error as the result of a tool, with advice on what to do about it. */
export function describeError(error: DescribedError): CallToolResult {
  const next = NEXT_STEPS[error.code] ?? (error.retryable ? 'Try again later.' : undefined)
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ ...error, next }, null, 2) }] }
}
