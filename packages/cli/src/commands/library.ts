import type { LibraryHit, LibrarySearchKind } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, OK } from '../exit-codes.ts'

interface SearchCommandOptions {
  kind?: LibrarySearchKind
  language?: string
  limit: number
  json?: boolean
}

/** Prints the videos in which something was said, with the passages and links to their moments. */
export async function searchLibrary(
  ctx: CommandContext,
  words: string[],
  { limit, json, ...query }: SearchCommandOptions,
): Promise<ExitCode> {
  const { library } = await ctx.connect()
  const { items } = await library.search(words.join(' '), { ...query, limit }, { signal: ctx.signal }).page()
  if (json) ctx.print(JSON.stringify(items))
  else if (items.length === 0) ctx.note('Nothing found.')
  else ctx.print(items.map(formatHit).join('\n\n'))
  return OK
}

const formatHit = ({ job_id, video_title, passages }: LibraryHit): string =>
  [`${video_title}  ${job_id}`, ...passages.map(({ url, text }) => `  ${url}\n    ${text}`)].join('\n')
