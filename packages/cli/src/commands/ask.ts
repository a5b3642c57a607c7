import type { CompletedLibraryAnswer, LibraryCitation, LibraryQuestion } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, OK, UsageError } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { writeText } from '../terminal-text.ts'

export interface AskCommandOptions {
  batch?: string
  source?: string
  job?: string[]
  conversation?: string
  json?: boolean
}

/** Asks a question about many videos: all of them, unless a batch, a source or jobs are named. */
export async function askAboutMany(
  ctx: CommandContext,
  words: string[],
  options: AskCommandOptions,
): Promise<ExitCode> {
  const message = (words.length > 0 ? words.join(' ') : await readInput(ctx)).trim()
  if (message === '') throw new UsageError('There is no question. Add one, or pass it on standard input.')
  const scope = selectScope(options)
  const { library } = await ctx.connect()
  const question: LibraryQuestion = { message, conversation_id: options.conversation, ...(scope && { scope }) }
  const { stdout } = ctx.terminal
  const isLive = stdout.isTTY === true && options.json !== true
  for await (const { event, data } of library.chat.stream(question, { signal: ctx.signal })) {
    if (event === 'delta' && isLive) writeText(stdout, data.text)
    if (event === 'done') return printAnswer(ctx, data, { isLive, isJson: options.json === true })
  }
  throw new Error('The answer ended before it was complete.')
}

function selectScope({ batch, source, job, conversation }: AskCommandOptions): LibraryQuestion['scope'] {
  const given = [batch && '--batch', source && '--source', job && '--job'].filter(Boolean)
  if (given.length > 1) throw new UsageError(`Use one of these at a time: ${given.join(', ')}.`)
  if (batch) return { batch_id: batch }
  if (source) return { source_id: source }
  if (job) return { job_ids: job }
  return conversation ? undefined : { all: true }
}

function printAnswer(
  ctx: CommandContext,
  answer: CompletedLibraryAnswer,
  { isLive, isJson }: { isLive: boolean; isJson: boolean },
): ExitCode {
  if (isJson) ctx.print(JSON.stringify(answer))
  else {
    const sources = listSources(answer.citations)
    ctx.print([isLive ? '' : answer.message.content, ...(sources.length > 0 ? ['', ...sources] : [])].join('\n'))
  }
  for (const { message, code } of answer.warnings ?? []) ctx.note(`${message} (${code})`)
  if (isLive) ctx.note(`\nTo continue: subtext ask --conversation ${answer.conversation_id} QUESTION`)
  return OK
}

/** Returns a line for each moment that is cited, once. */
const listSources = (citations: readonly LibraryCitation[]): string[] => [
  ...new Set(citations.map(({ video_title, url }) => `- ${video_title}  ${url}`)),
]
