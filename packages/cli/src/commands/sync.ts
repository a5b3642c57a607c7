import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LibraryExportOptions, type Subtext, SubtextError } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, FAILED, OK, UsageError } from '../exit-codes.ts'
import { openFolder } from '../files.ts'
import { documentFormatOf } from '../formats.ts'
import { messageOf } from '../message.ts'
import { downloadArchive, readArchive } from '../sync/archive.ts'
import { openKnownFiles } from '../sync/known-files.ts'
import { type Outcome, placeDocument } from '../sync/place-document.ts'
import { findSource } from './sources.ts'

interface SyncCommandOptions {
  format: string
  /** Address of a playlist or a channel. */
  source?: string
  restore?: boolean
  watch?: boolean
  json?: boolean
}

/** What one comparison of the folder with the library has found. */
interface Comparison {
  /** When the newest job that was seen was completed. */
  newest: string | undefined
  /** Requests that the key has in an hour. */
  requestsPerHour: number
}

const WRITTEN: readonly Outcome[] = ['new', 'changed', 'beside', 'restored']

/** Writes a document of each video to a folder, and with `watch` goes on as jobs are completed. */
export async function syncFolder(ctx: CommandContext, path: string, options: SyncCommandOptions): Promise<ExitCode> {
  await openFolder(path).catch((cause: Error) => {
    throw new UsageError(`Cannot write to ${path}: ${cause.message}`, { cause })
  })
  const subtext = await ctx.connect()
  const source = options.source === undefined ? undefined : await findSource(ctx, subtext.sources, options.source)
  if (source === null) return FAILED
  const query = { format: documentFormatOf(options.format), sourceId: source?.source_id }
  let last = await compare(ctx, subtext, path, { ...options, query })
  while (options.watch) {
    await sleep(intervalOf(last), undefined, { signal: ctx.signal })
    try {
      last = await compare(ctx, subtext, path, { ...options, query }, last.newest)
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof SubtextError) || !error.retryable) throw error
      ctx.note(`${messageOf(error)} Trying again.`)
    }
  }
  return OK
}

const MIN_INTERVAL_MS = 10_000
const HOUR_MS = 3_600_000

/** Returns a pause after which half of the requests of the key are left for others. */
const intervalOf = ({ requestsPerHour }: Comparison): number =>
  Math.max(MIN_INTERVAL_MS, (2 * HOUR_MS) / requestsPerHour)

/** The least that a plan has. */
const DEFAULT_REQUESTS_PER_HOUR = 60

/** A job can become visible after one that was completed later. */
const OVERLAP_MS = 300_000

async function compare(
  ctx: CommandContext,
  subtext: Subtext,
  path: string,
  { format, restore = false, json, watch, query }: SyncCommandOptions & { query: LibraryExportOptions },
  newestBefore?: string,
): Promise<Comparison> {
  const since = newestBefore && new Date(Date.parse(newestBefore) - OVERLAP_MS).toISOString()
  const temporary = await mkdtemp(join(tmpdir(), 'subtext-sync-'))
  const counts = new Map<Outcome, number>()
  const files = await openKnownFiles(path)
  try {
    const archive = join(temporary, 'export.zip')
    const headers = await downloadArchive(subtext, { ...query, since }, archive, ctx.signal)
    let newest = newestBefore
    for await (const document of readArchive(archive)) {
      ctx.signal.throwIfAborted()
      const { outcome, name } = await placeDocument({ path, format, files, restore }, document)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (WRITTEN.includes(outcome)) {
        const { videoId: video_id, jobId: job_id } = document
        ctx.print(json ? JSON.stringify({ action: outcome, file: name, video_id, job_id }) : `${outcome}  ${name}`)
      }
      const { completedAt } = document
      if (completedAt && !(newest && newest >= completedAt)) newest = completedAt
    }
    if (!watch || newestBefore === undefined) ctx.note(summarize(counts))
    const requestsPerHour = Number(headers.get('X-RateLimit-Limit')) || DEFAULT_REQUESTS_PER_HOUR
    return { newest, requestsPerHour }
  } finally {
    await files.close()
    await rm(temporary, { recursive: true, force: true })
  }
}

function summarize(counts: ReadonlyMap<Outcome, number>): string {
  const count = (outcome: Outcome): number => counts.get(outcome) ?? 0
  const kept = count('edited') + count('beside')
  const lines = [
    `${count('new') + count('restored')} new, ${count('changed')} changed, ${count('unchanged')} unchanged.`,
    kept > 0 &&
      `${kept} edited and left as they are${count('beside') > 0 ? '; the new versions are in the files with (new)' : ''}.`,
    count('deleted') > 0 && `${count('deleted')} deleted and left out: --restore writes them again.`,
  ]
  return lines.filter(Boolean).join('\n')
}
