import type { Source, SourceVideo, SourceVideoType, Subtext } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, FAILED, OK } from '../exit-codes.ts'
import { formatTable, toLine } from '../table.ts'

interface VideosCommandOptions {
  type?: SourceVideoType
  notProcessed?: boolean
  refresh?: boolean
  limit?: number
  json?: boolean
}

/** Prints the videos of a playlist, a channel or a podcast, each with what has become of it. */
export async function listVideosOf(
  ctx: CommandContext,
  url: string,
  { type, notProcessed, refresh, limit, json }: VideosCommandOptions,
): Promise<ExitCode> {
  const { sources } = await ctx.connect()
  const { signal } = ctx
  const source = await findSource(ctx, sources, url, refresh)
  if (!source) return FAILED
  const videos: SourceVideo[] = []
  for await (const video of sources.videos(source.source_id, { type, notProcessed }, { signal })) {
    if (limit !== undefined && videos.length >= limit) break
    videos.push(video)
  }
  if (json) ctx.print(JSON.stringify({ ...source, videos }))
  else {
    ctx.note(describeSource(source))
    if (videos.length > 0) ctx.print(formatTable(videos.map(describeVideo)))
  }
  return OK
}

/** Returns a source as soon as it is listed. Says why if it cannot be. */
export async function findSource(
  { signal, note }: CommandContext,
  sources: Subtext['sources'],
  url: string,
  refresh?: boolean,
): Promise<Source | null> {
  const asked = await sources.ask(url, { refresh, signal })
  const source = asked.status === 'listing' || refresh ? await sources.waitFor(asked.source_id, { signal }) : asked
  if (source.status !== 'failed') return source
  note(`${source.error?.message ?? 'The source cannot be listed.'} (${source.error?.code})`)
  return null
}

function describeSource({ title, videos_total, truncated, coverage, source_id }: Source): string {
  const more = truncated ? ' and more' : ''
  const count = coverage
    ? `${coverage.episodes} episodes${more}, ${coverage.with_transcript} of them with a transcript`
    : `${videos_total} videos${more}`
  return `${title ?? 'Untitled'}: ${count}  ${source_id}`
}

const describeVideo = ({ video_url, type, reason, job_status, title }: SourceVideo): string[] => [
  video_url,
  type,
  reason?.replaceAll('_', ' ') ?? job_status ?? '-',
  toLine(title),
]
