import {
  BadRequestError,
  type BatchVideo,
  PermissionError,
  type Subtext,
  SubtextError,
  type SummaryMode,
  type VideoOptions,
} from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type Destination, openDestination } from '../destination.ts'
import { type ExitCode, exitCodeOf, OK, UsageError } from '../exit-codes.ts'
import { type FileContent, isPicture } from '../formats.ts'
import { readInput } from '../input.ts'
import { messageOf } from '../message.ts'
import { openProgress } from '../progress.ts'

export interface ProcessCommandOptions {
  mode?: string
  template?: string
  /** Asks for the transcript alone, which needs no language model and costs nothing. */
  transcriptOnly?: boolean
  language?: string
  outputLanguage?: string
  instructions?: string
  maxCost?: number
  format: string
  output?: string
  wait: boolean
  json?: boolean
}

/** Fetches the output of the command for a completed job. */
export type FetchDocument = (
  subtext: Subtext,
  jobId: string,
  format: string,
  signal: AbortSignal,
) => Promise<FileContent>

/** A job, and what stands for it on the command line. */
export interface SubmittedVideo {
  url: string
  jobId: string
}

const MAX_BATCH = 100

/** Submits the videos, waits for them and writes a document for each of them as soon as it is ready. */
export async function processVideos(
  ctx: CommandContext,
  names: string[],
  options: ProcessCommandOptions,
  fetchDocument: FetchDocument,
): Promise<ExitCode> {
  const urls = await readUrls(ctx, names)
  const format = options.json ? 'json' : options.format
  const destination = await openDestination(ctx, options.output, { format, several: urls.length > 1 })
  const present = await Promise.all(urls.map((url) => destination.has(url)))
  const wanted = urls.filter((_, index) => !present[index])
  if (wanted.length < urls.length) ctx.note(`${urls.length - wanted.length} of ${urls.length} already exist.`)
  if (wanted.length === 0) return OK

  const subtext = await ctx.connect()
  const submitted = await submitAll(ctx, subtext, wanted, options)
  let failed = wanted.length - submitted.length
  if (!options.wait) {
    for (const { jobId, url } of submitted) ctx.print(options.json ? JSON.stringify({ job_id: jobId, url }) : jobId)
    return exitCodeOf(urls.length - failed, failed)
  }
  failed += await writeDocuments(ctx, subtext, submitted, { destination, format, json: options.json, fetchDocument })
  return exitCodeOf(urls.length - failed, failed)
}

interface WriteOptions {
  destination: Destination
  format: string
  json: boolean | undefined
  fetchDocument: FetchDocument
}

/** Waits for jobs and writes a document for each of them as soon as it is ready. Returns how many failed. */
export async function writeDocuments(
  ctx: CommandContext,
  subtext: Subtext,
  submitted: SubmittedVideo[],
  { destination, format, json, fetchDocument }: WriteOptions,
): Promise<number> {
  let failed = 0
  const progress = openProgress(ctx)
  const unfinished = new Set(submitted)
  const finish = async (video: SubmittedVideo): Promise<void> => {
    const { url, jobId } = video
    try {
      const { signal } = ctx
      const job = await subtext.videos.waitFor(jobId, { signal, onProgress: (now) => progress.update(url, now) })
      const document = await fetchDocument(subtext, jobId, format, signal)
      progress.end(url)
      await progress.pause(() => destination.write(url, job.video_id, document))
      unfinished.delete(video)
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof SubtextError)) throw error
      failed++
      unfinished.delete(video)
      progress.end(url)
      progress.pause(() => reportFailure(ctx, url, error, json))
    }
  }
  try {
    await forEachConcurrently(submitted, 8, finish)
  } catch (error) {
    progress.close()
    sayHowToFollow(ctx, [...unfinished])
    throw error
  } finally {
    progress.close()
  }
  return failed
}

/** Returns the URLs of the command line; `-` stands for the lines of standard input. */
async function readUrls(ctx: CommandContext, names: string[]): Promise<string[]> {
  const lines = names.includes('-') ? (await readInput(ctx)).split('\n') : []
  const urls = [...names.filter((name) => name !== '-'), ...lines.map((line) => line.trim()).filter(isEntry)]
  if (urls.length === 0) throw new UsageError('There is no URL on standard input.')
  return [...new Set(urls)]
}

const isEntry = (line: string): boolean => line !== '' && !line.startsWith('#')

/** Returns the names of a list with commas. */
export const readNames = (names: string): string[] => names.split(',').map((name) => name.trim())

const toVideoOptions = ({
  mode,
  template,
  transcriptOnly,
  language,
  outputLanguage,
  maxCost,
  format,
}: ProcessCommandOptions): VideoOptions => ({
  ...(transcriptOnly && { summary_modes: [] }),
  // The service says which modes there are if one of them is unknown.
  ...(mode !== undefined && { summary_modes: readNames(mode) as SummaryMode[] }),
  ...(template !== undefined && { templates: readNames(template) }),
  ...(language !== undefined && { language }),
  ...(outputLanguage !== undefined && { output_language: outputLanguage }),
  ...(maxCost !== undefined && { max_cost_usd: maxCost }),
  ...(isPicture(format) && { generate_infographic: true }),
})

/**
 * Submits the videos. If some of them are accepted, reports the error that refuses the others and returns the accepted ones. If
 * none is, or the command is interrupted, throws.
 */
async function submitAll(
  ctx: CommandContext,
  subtext: Subtext,
  urls: string[],
  options: ProcessCommandOptions,
): Promise<SubmittedVideo[]> {
  const submitted: SubmittedVideo[] = []
  const invalid = new Set<string>()
  try {
    for (let start = 0; start < urls.length; start += MAX_BATCH) {
      await submitPart(ctx, subtext, urls.slice(start, start + MAX_BATCH), { ...options, submitted, invalid })
    }
  } catch (error) {
    const isRefusal = error instanceof SubtextError && !ctx.signal.aborted
    if (!isRefusal && submitted.length > 0) sayHowToFollow(ctx, submitted)
    else if (ctx.signal.aborted) ctx.note('\nA job may have been created. `subtext list` shows your jobs.')
    if (!isRefusal) throw error
    const accepted = new Set(submitted.map(({ url }) => url))
    const refused = urls.filter((url) => !accepted.has(url) && !invalid.has(url))
    if (submitted.length === 0) {
      if (options.json) for (const url of refused) printFailure(ctx, url, error)
      throw error
    }
    for (const url of refused) reportFailure(ctx, url, error, options.json)
  }
  return submitted
}

/** Submits one video as such, and several as a batch if the plan has batches, every URL is valid and there are no instructions. */
async function submitPart(
  ctx: CommandContext,
  subtext: Subtext,
  urls: string[],
  { submitted, invalid, ...options }: ProcessCommandOptions & { submitted: SubmittedVideo[]; invalid: Set<string> },
): Promise<void> {
  const { signal } = ctx
  const videoOptions = toVideoOptions(options)
  const { instructions } = options
  // The videos of a batch have no instructions.
  if (urls.length > 1 && instructions === undefined) {
    try {
      const videos: BatchVideo[] = urls.map((url) => ({ url, options: videoOptions }))
      const { jobs } = await subtext.batches.submit({ videos }, { signal })
      submitted.push(...jobs.map(({ index, job_id }) => ({ url: urls[index] ?? '', jobId: job_id })))
      return
    } catch (error) {
      if (!canSubmitSingly(error)) throw error
    }
  }
  for (const url of urls) {
    const video = {
      url,
      options: videoOptions,
      ...(instructions !== undefined && { custom_instructions: instructions }),
    }
    try {
      const { job_id } = await subtext.videos.submit(video, { signal })
      submitted.push({ url, jobId: job_id })
    } catch (error) {
      // A problem of one URL does not affect the next; any other problem affects all of them.
      if (!(error instanceof SubtextError) || error.code !== 'INVALID_VIDEO_URL') throw error
      invalid.add(url)
      reportFailure(ctx, url, error, options.json)
    }
  }
}

const canSubmitSingly = (error: unknown): boolean =>
  error instanceof BadRequestError ||
  (error instanceof PermissionError && error.hasCode('PLAN_UPGRADE_REQUIRED') && error.details.feature === 'batches')

function printFailure(ctx: CommandContext, url: string, { code, message, jobId, details }: SubtextError): void {
  ctx.print(JSON.stringify({ url, job_id: jobId, error: { code, message, details } }))
}

export function reportFailure(ctx: CommandContext, url: string, error: SubtextError, json = false): void {
  if (json) printFailure(ctx, url, error)
  ctx.note(`${url}: ${messageOf(error)}`)
}

function sayHowToFollow({ note }: CommandContext, submitted: SubmittedVideo[]): void {
  if (submitted.length === 0) return
  note(submitted.length === 1 ? '\nThe job continues. To follow it:' : '\nThe jobs continue. To follow them:')
  for (const { jobId } of submitted.slice(0, 10)) note(`  subtext result ${jobId}`)
  if (submitted.length > 10) note('  subtext list')
}

async function forEachConcurrently<T>(items: T[], limit: number, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const runNext = async (): Promise<void> => {
    for (const item of waiting) await run(item)
  }
  await Promise.all(Array.from({ length: limit }, runNext))
}
