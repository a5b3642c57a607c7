import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Subtext, SubtextError } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { openDestination } from '../destination.ts'
import { type ExitCode, exitCodeOf, OK, UsageError } from '../exit-codes.ts'
import { fetchSummary } from '../formats.ts'
import { reportFailure, type SubmittedVideo, writeDocuments } from './process.ts'

export interface ImportCommandOptions {
  language?: string
  title?: string
  format: string
  output?: string
  wait: boolean
  json?: boolean
}

/** Imports files with captions, waits for their summaries and writes them. A file that is refused does not affect the others. */
export async function importCaptions(
  ctx: CommandContext,
  files: string[],
  { language, title, output, wait, json, ...options }: ImportCommandOptions,
): Promise<ExitCode> {
  if (title !== undefined && files.length > 1) throw new UsageError('`--title` is for one file only.')
  const format = json ? 'json' : options.format
  const destination = await openDestination(ctx, output, { format, several: files.length > 1 })
  const subtext = await ctx.connect()
  const submitted: SubmittedVideo[] = []
  let failed = 0
  for (const path of files) {
    try {
      submitted.push({ url: path, jobId: await importFile(subtext, path, { language, title }, ctx.signal) })
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof SubtextError)) throw error
      failed++
      reportFailure(ctx, path, error, json)
    }
  }
  if (submitted.length === 0) return exitCodeOf(0, failed)
  if (!wait) {
    for (const { jobId, url } of submitted) ctx.print(json ? JSON.stringify({ job_id: jobId, file: url }) : jobId)
    return failed === 0 ? OK : exitCodeOf(submitted.length, failed)
  }
  failed += await writeDocuments(ctx, subtext, submitted, { destination, format, json, fetchDocument: fetchSummary })
  return exitCodeOf(files.length - failed, failed)
}

async function importFile(
  subtext: Subtext,
  path: string,
  fields: { language: string | undefined; title: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`)
  })
  const file = new File([content], basename(path))
  const { language, title } = fields
  const { job_id } = await subtext.videos.import(
    { file, ...(language !== undefined && { language }), ...(title !== undefined && { title }) },
    { signal },
  )
  return job_id
}
