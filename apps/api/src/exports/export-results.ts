import { type DocumentFormat, FORMATS, ServiceError } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import { type FinishedJob, getResult } from '@subtext/core/jobs'
import {
  type ExportedVideo,
  type LibraryExportFilter,
  listBatchVideos,
  listCaseVariants,
  listLibraryPage,
  listVideosOfJobs,
} from '@subtext/core/library'
import { RENDERERS } from '@subtext/render'
import type { Response } from 'express'
import type { ApiContext } from '../context.ts'
import { compressText } from '../http/compress.ts'
import { stream } from '../http/reply.ts'
import { sendZip, type ZippedFile } from '../http/zip.ts'
import type { Exported } from '../metrics.ts'
import { type PresentContext, toRenderable } from '../presenters/result.ts'
import { nameFile } from './file-name.ts'

type ReadContext = PresentContext & Pick<ApiContext, 'db'>
type Videos = AsyncIterable<ExportedVideo> | Iterable<ExportedVideo>

const PAGE = 200

/** Yields the videos of a library, read in pages. */
export async function* readLibrary({ db }: Pick<ApiContext, 'db'>, filter: LibraryExportFilter) {
  let after = ''
  for (;;) {
    const page = await listLibraryPage(db, filter, { after, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.videoId ?? after
  }
}

/** Yields the videos of a batch. */
export async function* readBatch({ db }: Pick<ApiContext, 'db'>, actor: Actor, batchId: string) {
  yield* await listBatchVideos(db, actor.userId, batchId)
}

/** Yields the videos of some jobs. */
export async function* readJobs({ db }: Pick<ApiContext, 'db'>, actor: Actor, jobIds: readonly string[]) {
  yield* await listVideosOfJobs(db, actor.userId, jobIds)
}

/** Yields the results of videos, one at a time. A job that was deleted after it was listed is left out. */
async function* readFinished(ctx: ReadContext, actor: Actor, videos: Videos) {
  for await (const video of videos) {
    const finished = await getResult(ctx, actor, video.jobId).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
      throw error
    })
    if (finished) yield { video, finished }
  }
}

const render = (ctx: ReadContext, finished: FinishedJob, format: DocumentFormat): AsyncIterable<string> =>
  RENDERERS[format].render(toRenderable(ctx, finished))

async function* listFiles(
  ctx: ReadContext,
  actor: Actor,
  videos: Videos,
  format: DocumentFormat,
): AsyncGenerator<ZippedFile> {
  const caseVariants = new Set(await listCaseVariants(ctx.db, actor.userId))
  for await (const { video, finished } of readFinished(ctx, actor, videos)) {
    const { videoId, firstTitle: title } = video
    const { completedAt, jobId } = finished.description
    yield {
      path: nameFile({ videoId, title, isCaseVariant: caseVariants.has(videoId) }, FORMATS[format].extension),
      content: render(ctx, finished, format),
      modifiedAt: completedAt,
      comment: JSON.stringify({ video_id: videoId, job_id: jobId, completed_at: completedAt.toISOString() }),
    }
  }
}

async function* joinDocuments(ctx: ReadContext, actor: Actor, videos: Videos, format: DocumentFormat) {
  for await (const { finished } of readFinished(ctx, actor, videos)) yield* render(ctx, finished, format)
}

interface ResultExport {
  of: Exported
  videos: Videos
  format: DocumentFormat
  /** Name of the file without its extension. */
  name: string
  signal: AbortSignal
}

/**
 * Responds with the documents of videos: a ZIP archive, or one NDJSON file. They are read from the database while they are written,
 * as fast as the reader accepts them. Throws if they cannot be read or `signal` aborts: the response then ends before its end.
 */
export async function sendResults(
  ctx: ReadContext & Pick<ApiContext, 'acquireResultExport' | 'metrics'>,
  response: Response,
  actor: Actor,
  { of, videos, format, name, signal }: ResultExport,
): Promise<void> {
  const release = ctx.acquireResultExport(actor.userId)
  const isLines = format === 'chunks'
  response.setHeader('Cache-Control', 'private, no-store')
  response.setHeader(
    'Content-Disposition',
    `attachment; filename="${name}.${isLines ? FORMATS.chunks.extension : 'zip'}"`,
  )
  try {
    if (isLines) await sendLines(response, joinDocuments(ctx, actor, videos, format), signal)
    else await sendZip(response, listFiles(ctx, actor, videos, format), signal)
    ctx.metrics.countExport(of, signal.aborted ? 'abandoned' : 'sent')
  } catch (error) {
    ctx.metrics.countExport(of, signal.aborted ? 'abandoned' : 'failed')
    throw error
  } finally {
    release()
  }
}

async function sendLines(response: Response, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  compressText(response)
  response.setHeader('Content-Type', FORMATS.chunks.mediaType)
  // Otherwise, a client that does not read would keep it waiting.
  signal.addEventListener('abort', () => response.destroy(), { once: true })
  await stream(response, lines)
}
