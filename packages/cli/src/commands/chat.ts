import type { ChatCitation, ChatMessage, CompletedChatAnswer, Subtext } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, OK, UsageError } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { readLine } from '../prompt.ts'
import { formatTable, formatTime, toLine } from '../table.ts'
import { writeText } from '../terminal-text.ts'

export interface ChatCommandOptions {
  conversation?: string
  list?: boolean
  show?: string
  delete?: string
  json?: boolean
}

/** Asks questions about the video of a job, or shows and deletes the conversations about it. */
export async function chatAboutJob(
  ctx: CommandContext,
  jobId: string,
  words: string[],
  options: ChatCommandOptions,
): Promise<ExitCode> {
  const { list, show, delete: remove, conversation } = options
  const given = [list && '--list', show && '--show', remove && '--delete', words.length > 0 && 'a question'].filter(
    Boolean,
  )
  if (given.length > 1) throw new UsageError(`Use one of these at a time: ${given.join(', ')}.`)
  const subtext = await ctx.connect()
  if (list) return listConversations(ctx, subtext, jobId, options)
  if (show) return showConversation(ctx, subtext, jobId, { ...options, show })
  if (remove) return deleteConversation(ctx, subtext, jobId, { ...options, delete: remove })
  const ask = (message: string, conversation_id?: string): Promise<CompletedChatAnswer> =>
    askQuestion(ctx, subtext, jobId, { message, conversation_id, isJson: options.json })
  if (words.length === 0 && ctx.terminal.stdin.isTTY) return converse(ctx, conversation, ask)
  const message = (words.length > 0 ? words.join(' ') : await readInput(ctx)).trim()
  if (message === '')
    throw new UsageError('There is no question. Add one after the job ID, or pass it on standard input.')
  const answer = await ask(message, conversation)
  if (ctx.terminal.stdout.isTTY && !options.json) noteHowToContinue(ctx, jobId, answer)
  return OK
}

type Ask = (message: string, conversationId?: string) => Promise<CompletedChatAnswer>

/** Asks one question after the other, in one conversation, until the input ends. */
async function converse(ctx: CommandContext, conversationId: string | undefined, ask: Ask): Promise<ExitCode> {
  ctx.note('Ask about the video. An empty line or Ctrl-D ends the conversation.')
  for (let id = conversationId; ; ) {
    const message = (await readLine(ctx, '> '))?.trim()
    if (!message) return OK
    id = (await ask(message, id)).conversation_id
  }
}

interface AskedQuestion {
  message: string
  conversation_id?: string
  isJson?: boolean
}

/** Prints an answer: on a terminal while it is written, otherwise once it is complete. */
async function askQuestion(
  ctx: CommandContext,
  { chat }: Subtext,
  jobId: string,
  { isJson, ...question }: AskedQuestion,
): Promise<CompletedChatAnswer> {
  const { terminal, signal } = ctx
  const isLive = terminal.stdout.isTTY && !isJson
  try {
    for await (const { event, data } of chat.stream(jobId, question, { signal })) {
      if (event === 'done') {
        if (isJson) ctx.print(JSON.stringify(data))
        else ctx.print(isLive ? '' : withTimes(data.message.content, data.citations))
        for (const { message, code } of data.warnings ?? []) ctx.note(`${message} (${code})`)
        return data
      }
      if (isLive) writeText(terminal.stdout, event === 'delta' ? data.text : ` [${formatSeconds(data.start)}]`)
    }
  } catch (error) {
    if (isLive) terminal.stdout.write('\n')
    if (signal.aborted) ctx.note(`The answer is still being written. To find it later:\n  subtext chat ${jobId} --list`)
    throw error
  }
  throw new Error('The answer ended before it was complete.')
}

function noteHowToContinue(ctx: CommandContext, jobId: string, { conversation_id }: CompletedChatAnswer): void {
  ctx.note(`\nTo continue: subtext chat ${jobId} --conversation ${conversation_id} QUESTION`)
}

/** Inserts the times of what is cited after the sentences that cite it. */
export function withTimes(content: string, citations: Pick<ChatCitation, 'position' | 'start'>[]): string {
  let result = ''
  let end = 0
  for (const { position, start } of citations) {
    result += `${content.slice(end, position)} [${formatSeconds(start)}]`
    end = position
  }
  return result + content.slice(end)
}

/** Formats a time in a video as `m:ss` or `h:mm:ss`. */
function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

async function listConversations(
  ctx: CommandContext,
  { chat }: Subtext,
  jobId: string,
  { json }: ChatCommandOptions,
): Promise<ExitCode> {
  const rows: string[][] = []
  for await (const conversation of chat.list(jobId, {}, { signal: ctx.signal })) {
    const { conversation_id: id, message_count, updated_at, title } = conversation
    if (json) ctx.print(JSON.stringify(conversation))
    else rows.push([id, String(message_count), formatTime(updated_at), toLine(title)])
  }
  if (rows.length > 0) ctx.print(formatTable([['CONVERSATION', 'MESSAGES', 'UPDATED', 'FIRST QUESTION'], ...rows]))
  return OK
}

async function showConversation(
  ctx: CommandContext,
  { chat }: Subtext,
  jobId: string,
  { show, json }: ChatCommandOptions & { show: string },
): Promise<ExitCode> {
  const conversation = await chat.get(jobId, show, { signal: ctx.signal })
  ctx.print(json ? JSON.stringify(conversation) : conversation.messages.map(formatMessage).join('\n\n'))
  return OK
}

function formatMessage(message: ChatMessage): string {
  if (message.role === 'user') return message.content.replaceAll(/^/gm, '> ')
  return message.status === 'complete' ? withTimes(message.content, message.citations) : `(${message.status})`
}

async function deleteConversation(
  ctx: CommandContext,
  { chat }: Subtext,
  jobId: string,
  options: ChatCommandOptions & { delete: string },
): Promise<ExitCode> {
  const deleted = await chat.delete(jobId, options.delete, { signal: ctx.signal })
  ctx.print(options.json ? JSON.stringify(deleted) : 'deleted')
  return OK
}
