import {
  type DetailedTaskV2,
  hasTaskClientCapabilityV2,
  TASKS_EXTENSION_ID_V2,
} from '@modelcontextprotocol/ext-tasks/core/v2'
import {
  type CallToolRequest,
  type CallToolResult,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Job, Subtext } from '@subtext/sdk'
import { z } from 'zod'
import { toProtocolError } from './protocol-error.ts'
import { readingLoosely } from './read-arguments.ts'
import { isPassing, startTimeLimit, type TimeLimit } from './time-limit.ts'
import { toErrorResult } from './tool-result.ts'
import { readPage } from './tools/results.ts'
import { SUMMARIZE_TOOL, timeoutSeconds } from './tools/summarize.ts'

/** The capability of a server that answers long calls with tasks. */
export const TASK_CAPABILITY = { [TASKS_EXTENSION_ID_V2]: {} }

/** Seconds after which a call becomes a task. */
const SECONDS_TO_TASK = 2
const FAST_POLL_MS = 2_000
const SLOW_POLL_MS = 10_000

type TaskResult = Extract<DetailedTaskV2, { status: 'completed' }>['result']
type CallTool = (request: CallToolRequest, ctx: ServerContext) => Promise<CallToolResult>

const TaskRequest = z.looseObject({ taskId: z.string().min(1).max(64) })

const declaresTasks = ({ mcpReq }: ServerContext): boolean => hasTaskClientCapabilityV2({ _meta: mcpReq.envelope })

/** Returns the milliseconds until a client should ask again: the longer a job has taken, the longer it may still take. */
const selectPollInterval = ({ created_at }: Pick<Job, 'created_at'>): number =>
  Math.min(SLOW_POLL_MS, Math.max(FAST_POLL_MS, Math.round((Date.now() - Date.parse(created_at)) / 10)))

const describeTask = (job: Started) => ({
  taskId: job.job_id,
  statusMessage: job.current_step.replaceAll('_', ' '),
  createdAt: job.created_at,
  lastUpdatedAt: job.updated_at,
  // A result stays until its owner deletes it or the operator's retention does.
  ttlMs: null,
  pollIntervalMs: selectPollInterval(job),
})

/** A failed job is a completed task whose result is an error. */
async function readTask(subtext: Subtext, job: Job, limit: TimeLimit): Promise<DetailedTaskV2> {
  const task = describeTask(job)
  if (job.status === 'queued' || job.status === 'processing') return { ...task, status: 'working' }
  if (job.error?.code === 'JOB_CANCELLED') return { ...task, status: 'cancelled' }
  const page = readPage(subtext, { jobId: job.job_id, part: 'summaries', limit })
  const result = await page.catch((error: unknown) => {
    // The client would take it for the end of the task, and not ask again.
    if (job.status === 'completed' && isPassing(error)) throw error
    return toErrorResult(error)
  })
  return { ...task, status: 'completed', result: { resultType: 'complete', ...result } as unknown as TaskResult }
}

/** Returns the job that a call has started and that has not ended yet, or null. */
const readUnfinished = ({ structuredContent }: CallToolResult): Unfinished | null => {
  const job = (structuredContent ?? {}) as Partial<Unfinished>
  return job.status === 'queued' || job.status === 'processing' ? (job as Unfinished) : null
}

type Started = Pick<Job, 'job_id' | 'created_at' | 'updated_at'> & { current_step: string }
/** A job as a tool describes it. Before its state was read, it has no step. */
type Unfinished = Pick<Job, 'job_id' | 'status'> & { current_step?: string }

/** Returns a job that has just been started. If it cannot be read, its ID is not lost for that: its times are then those of now. */
async function readStarted(
  { videos }: Subtext,
  { job_id, status, current_step = status }: Unfinished,
  limit: TimeLimit,
): Promise<Started> {
  const now = new Date().toISOString()
  const job = await limit.glance((options) => videos.status(job_id, options))
  return job ?? { job_id, current_step, created_at: now, updated_at: now }
}

/** An invalid time is left for the tool to refuse. */
const limitWait = (params: CallToolRequest['params']): CallToolRequest['params'] =>
  Wait.safeParse(params.arguments).success
    ? { ...params, arguments: { ...params.arguments, timeout_seconds: SECONDS_TO_TASK } }
    : params

const Wait = readingLoosely(z.object({ timeout_seconds: timeoutSeconds }))

/**
 * Adds the extension `io.modelcontextprotocol/tasks`: if a request declares it, a summary that takes longer than two seconds is
 * answered with a task. The ID of a task is that of its job, so every replica can answer for it.
 */
export function registerTasks({ server }: McpServer, subtext: Subtext): void {
  // A tool with an output schema cannot return a task itself.
  // biome-ignore lint/complexity/useLiteralKeys: a protected member, which has no other name outside of its class
  const callTool = server['_getRequestHandler']('tools/call') as unknown as CallTool
  server.setRequestHandler('tools/call', async (request, ctx) => {
    if (request.params.name !== SUMMARIZE_TOOL || !declaresTasks(ctx)) return callTool(request, ctx)
    // The tool starts its own, now or when the user has answered its question.
    const limit = startTimeLimit(ctx.mcpReq.signal)
    const result = await callTool({ ...request, params: limitWait(request.params) }, ctx)
    const started = readUnfinished(result)
    if (!started) return result
    const job = await readStarted(subtext, started, limit)
    return { resultType: 'task', ...describeTask(job), status: 'working' } as unknown as CallToolResult
  })
  const onTask = (method: string, answer: (jobId: string, limit: TimeLimit) => Promise<object>): void =>
    server.setRequestHandler(method, { params: TaskRequest }, async ({ taskId }, ctx) => {
      if (!declaresTasks(ctx)) {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: TASK_CAPABILITY } })
      }
      try {
        return { ...(await answer(taskId, startTimeLimit(ctx.mcpReq.signal))) }
      } catch (error) {
        throw toProtocolError(error)
      }
    })
  const { videos } = subtext
  onTask('tasks/get', async (jobId, limit) =>
    readTask(subtext, await limit.send((options) => videos.status(jobId, options)), limit),
  )
  onTask('tasks/cancel', async (jobId, limit) => {
    await limit.send((options) => videos.cancel(jobId, options))
    return {}
  })
  // Tasks never need input from the client, so there is nothing to update; a task that does not exist is an error.
  onTask('tasks/update', async (jobId, limit) => {
    await limit.send((options) => videos.status(jobId, options))
    return {}
  })
}
