import { type Job, type JobStatus, type Subtext, SubtextError } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { openDestination } from '../destination.ts'
import { type ExitCode, exitCodeOf, FAILED, OK } from '../exit-codes.ts'
import { fetchSummary } from '../formats.ts'
import { openProgress } from '../progress.ts'
import { readLine } from '../prompt.ts'
import { formatTable, formatTime, toLine } from '../table.ts'

const describe = ({ status, progress_percentage, current_step }: Job): string =>
  status === 'processing' ? `${progress_percentage}% (${current_step.replaceAll('_', ' ')})` : status

/** Prints the state of a job; with `wait`, once it has ended. */
export async function showStatus(
  ctx: CommandContext,
  jobId: string,
  { wait, json }: { wait?: boolean; json?: boolean },
): Promise<ExitCode> {
  const subtext = await ctx.connect()
  const { signal } = ctx
  const job = wait ? await waitWithProgress(ctx, subtext, jobId) : await subtext.videos.status(jobId, { signal })
  ctx.print(json ? JSON.stringify(job) : `${describe(job)}  ${job.video_url}`)
  if (job.error && !json) ctx.note(`${job.error.message} (${job.error.code})`)
  return job.status === 'failed' ? FAILED : OK
}

/** Waits for a job and writes its result. */
export async function showResult(
  ctx: CommandContext,
  jobId: string,
  options: { format: string; output?: string; json?: boolean },
): Promise<ExitCode> {
  const format = options.json ? 'json' : options.format
  const destination = await openDestination(ctx, options.output, { format, several: false })
  const subtext = await ctx.connect()
  const job = await waitWithProgress(ctx, subtext, jobId)
  const document = await fetchSummary(subtext, jobId, format, ctx.signal)
  await destination.write(job.video_url, job.video_id, document)
  return OK
}

async function waitWithProgress(ctx: CommandContext, { videos }: Subtext, jobId: string): Promise<Job> {
  const progress = openProgress(ctx)
  try {
    return await videos.waitFor(jobId, {
      signal: ctx.signal,
      onProgress: (job) => progress.update(job.video_url, job),
    })
  } catch (error) {
    if (ctx.signal.aborted) ctx.note(`\nThe job continues. To follow it:\n  subtext result ${jobId}`)
    throw error
  } finally {
    progress.close()
  }
}

const toRow = (job: Job): string[] => [
  job.job_id,
  describe(job),
  formatTime(job.created_at),
  job.video_id,
  // An older service does not say it.
  [...(job.summary_modes ?? []), ...(job.output_language ? [`in ${job.output_language}`] : [])].join(' ') || '-',
  toLine(job.video_title ?? job.video_url),
]

/** Prints the latest jobs. */
export async function listJobs(
  ctx: CommandContext,
  { status, search, limit, json }: { status?: string; search?: string; limit: number; json?: boolean },
): Promise<ExitCode> {
  const { videos } = await ctx.connect()
  const jobs: Job[] = []
  const query = { status: status as JobStatus | undefined, q: search, limit: Math.min(limit, 100) }
  for await (const job of videos.list(query, { signal: ctx.signal })) {
    if (jobs.length >= limit) break
    jobs.push(job)
  }
  if (json) for (const job of jobs) ctx.print(JSON.stringify(job))
  else if (jobs.length > 0) {
    ctx.print(formatTable([['JOB', 'STATUS', 'SUBMITTED', 'VIDEO', 'SUMMARIES', 'TITLE'], ...jobs.map(toRow)]))
  }
  return OK
}

/** Deletes jobs that have ended. Asks first at a terminal. One that cannot be deleted does not keep the others. */
export async function deleteJobs(
  ctx: CommandContext,
  jobIds: string[],
  { yes, json }: { yes?: boolean; json?: boolean },
): Promise<ExitCode> {
  const { stdin, stderr } = ctx.terminal
  if (!yes && stdin.isTTY && stderr.isTTY && !(await isConfirmed(ctx, jobIds.length))) {
    ctx.note('Nothing was deleted.')
    return FAILED
  }
  const { videos } = await ctx.connect()
  let failed = 0
  for (const jobId of jobIds) {
    try {
      await videos.delete(jobId, { signal: ctx.signal })
      ctx.print(json ? JSON.stringify({ job_id: jobId, deleted: true }) : `deleted ${jobId}`)
    } catch (error) {
      const isAboutJob = error instanceof SubtextError && [404, 409].includes(error.status)
      if (!isAboutJob || jobIds.length === 1) throw error
      failed++
      ctx.note(`${jobId}: ${error.message} (${error.code})`)
    }
  }
  return exitCodeOf(jobIds.length - failed, failed)
}

async function isConfirmed(ctx: CommandContext, jobs: number): Promise<boolean> {
  const what =
    jobs === 1 ? 'the job, with everything that belongs to it' : `${jobs} jobs, with everything that belongs to them`
  const answer = await readLine(ctx, `Delete ${what}? [y/N] `)
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

/** Cancels a job. A job that has already ended stays as it is. */
export async function cancelJob(ctx: CommandContext, jobId: string, { json }: { json?: boolean }): Promise<ExitCode> {
  const { videos } = await ctx.connect()
  const job = await videos.cancel(jobId, { signal: ctx.signal })
  const cancelled = job.error?.code === 'JOB_CANCELLED'
  ctx.print(json ? JSON.stringify(job) : cancelled ? 'cancelled' : `${job.status}: the job had already ended`)
  return OK
}
