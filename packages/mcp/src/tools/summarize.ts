import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import {
  type Job,
  type SubmittedJob,
  type Subtext,
  SubtextError,
  TimeoutError,
  type VideoSubmission,
} from '@subtext/sdk'
import { z } from 'zod'
import { askWhich } from '../ask-which.ts'
import { describeJob } from '../describe-job.ts'
import { readingLoosely } from '../read-arguments.ts'
import type { ResultPart } from '../result-text.ts'
import {
  cursor,
  jobId,
  jobState,
  subject,
  submission,
  TOOL_META,
  textResult,
  toRequest,
  toSubject,
} from '../schemas.ts'
import { isPassing, LIMIT_MS, startTimeLimit, type TimeLimit } from '../time-limit.ts'
import { describeError, NOT_UNDERSTOOD, toErrorResult, toResult } from '../tool-result.ts'
import { readPage } from './results.ts'

export const SUMMARIZE_TOOL = 'summarize_platform_video'

/** Clients give up on a call after 60 seconds. */
const DEFAULT_TIMEOUT_SECONDS = 45
const MAX_TIMEOUT_SECONDS = 300
/** Time for the answer, if a client waits longer than clients usually do. */
const ANSWER_MS = 5_000

export const timeoutSeconds = z
  .int()
  .min(1)
  .max(MAX_TIMEOUT_SECONDS)
  .default(DEFAULT_TIMEOUT_SECONDS)
  .describe('Maximum time to wait. Most clients give up after 60 seconds.')

const output = z.object({
  ...jobState.shape,
  next: z.string().optional(),
  ...textResult.omit({ job_id: true, status: true }).partial().shape,
})

/** Registers the tool that does everything in one call, as far as the client waits. */
export function registerSummarizeTool(server: McpServer, subtext: Subtext, draining?: AbortSignal): void {
  server.registerTool(
    SUMMARIZE_TOOL,
    {
      title: 'Summarize a video',
      description:
        'Summarizes a public video or an episode of a podcast and returns the summaries as Markdown. A video that takes longer than timeout_seconds continues: the result then has status "processing" and the job ID.',
      inputSchema: readingLoosely(
        z.strictObject({
          ...submission,
          timeout_seconds: timeoutSeconds,
        }),
      ),
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      _meta: TOOL_META,
    },
    ({ timeout_seconds, video_url, source, ...submitted }, ctx) => {
      const named = toSubject({ video_url, source })
      if (!named) return describeError(EITHER_SUBJECT)
      const request = { ...named, ...toRequest(submitted) }
      return submitAndRead(server, subtext, request, ctx, { part: 'summaries', timeout_seconds, draining })
    },
  )
}

/** Registers the tool that reads what was said, without summaries and their cost. */
export function registerTranscriptTool(server: McpServer, subtext: Subtext, draining?: AbortSignal): void {
  server.registerTool(
    'get_video_transcript',
    {
      title: 'Transcript of a video',
      description:
        'Returns what is said in a public video, without a summary and its cost. Give either job_id, for a job that has completed, or video_url or source, which is submitted and waited for as by summarize_platform_video.',
      inputSchema: readingLoosely(
        z.strictObject({
          job_id: jobId.optional(),
          ...subject,
          language: submission.language,
          cursor,
        }),
      ),
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      _meta: TOOL_META,
    },
    async ({ job_id, video_url, source, language, cursor }, ctx) => {
      const named = toSubject({ video_url, source })
      if (job_id === undefined ? !named : video_url !== undefined || source) return describeError(EITHER)
      if (named) {
        const request = { ...named, options: { summary_modes: [], language } }
        const wait = { part: 'transcript', timeout_seconds: DEFAULT_TIMEOUT_SECONDS, draining } as const
        return submitAndRead(server, subtext, request, ctx, wait)
      }
      try {
        const limit = startTimeLimit(ctx.mcpReq.signal)
        return await readPage(subtext, { jobId: job_id ?? '', part: 'transcript', cursor, limit })
      } catch (error) {
        return toErrorResult(error)
      }
    },
  )
}

const EITHER = { code: 'INVALID_ARGUMENTS', message: 'Give one of job_id, video_url and source.' }
export const EITHER_SUBJECT = { code: 'INVALID_ARGUMENTS', message: 'Give either video_url or source.' }

interface WaitOptions {
  part: ResultPart
  timeout_seconds: number
  draining?: AbortSignal
}

/** Submits a video, and returns its texts, or its state if it has not ended in time. */
async function submitAndRead(
  server: McpServer,
  subtext: Subtext,
  request: VideoSubmission,
  ctx: ServerContext,
  { part, timeout_seconds, draining }: WaitOptions,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const unclear = 'url' in request ? await askWhich(server, ctx, request.url) : null
    if (unclear) return unclear
    const { signal } = ctx.mcpReq
    const waitMs = timeout_seconds * 1_000
    const deadline = performance.now() + waitMs
    const limit = startTimeLimit(signal)
    const wholeLimit = startTimeLimit(signal, Math.max(LIMIT_MS, waitMs + ANSWER_MS))
    const submitted = await limit.send((options) => subtext.videos.submit(request, options))
    return await finish(subtext, submitted, ctx, { part, deadline, limit: wholeLimit, draining })
  } catch (error) {
    return toErrorResult(error)
  }
}

interface Patience {
  part: ResultPart
  /** When to stop waiting. */
  deadline: number
  limit: TimeLimit
  draining?: AbortSignal
}

/** Waits for a job, and returns its result, or its state if it has not ended or its result cannot be read now. */
async function finish(
  subtext: Subtext,
  submitted: SubmittedJob,
  ctx: ServerContext,
  patience: Patience,
): Promise<CallToolResult> {
  const { job_id: jobId } = submitted
  let job: Job | SubmittedJob = submitted
  try {
    job = await waitOrGiveUp(subtext, submitted, ctx, patience)
    if (job.status === 'queued' || job.status === 'processing') return toResult(describeJob(job))
    // The result of a failed job is its error.
    return await readPage(subtext, { jobId, part: patience.part, limit: patience.limit })
  } catch (error) {
    ctx.mcpReq.signal.throwIfAborted()
    if (job.status === 'completed' && isPassing(error)) return toResult(describeJob(job))
    if (error instanceof SubtextError) throw error
    throw new SubtextError(NOT_UNDERSTOOD, { code: 'INVALID_RESPONSE', jobId, cause: error })
  }
}

/** Waits for a job and reports its progress. Returns its state when it has ended, after the time, or when the process ends. */
async function waitOrGiveUp(
  subtext: Subtext,
  submitted: SubmittedJob,
  ctx: ServerContext,
  { deadline, limit, draining }: Patience,
): Promise<Job | SubmittedJob> {
  const { job_id: jobId } = submitted
  const { signal, _meta, notify } = ctx.mcpReq
  const progressToken = _meta?.progressToken
  let last = -1
  const onProgress = ({ progress_percentage: progress, current_step }: Job): void => {
    if (progressToken === undefined || progress <= last) return
    last = progress
    // With the ID, the job can be found again even if the connection breaks.
    const message = `${current_step.replaceAll('_', ' ')} (job ${jobId})`
    const params = { progressToken, progress, total: 100, message }
    // A client that has gone away needs no progress.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  try {
    const ended = draining ? AbortSignal.any([signal, draining]) : signal
    const timeoutMs = Math.max(0, deadline - performance.now())
    return await subtext.videos.waitFor(jobId, { signal: ended, timeoutMs, onProgress })
  } catch (error) {
    if (signal.aborted || !(error instanceof TimeoutError || draining?.aborted)) throw error
    return (await limit.glance((options) => subtext.videos.status(jobId, options))) ?? submitted
  }
}
