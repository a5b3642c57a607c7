import { JOB_STATUSES } from '@subtext/sdk/vocabulary'
import { Command, Option } from 'commander'
import { login, logout, showUsage } from './commands/account.ts'
import { type AskCommandOptions, askAboutMany } from './commands/ask.ts'
import { type ChatCommandOptions, chatAboutJob } from './commands/chat.ts'
import { deriveJob, showEstimate, showReceipt } from './commands/costs.ts'
import { DIGEST_COMMAND_FORMATS, makeDigest } from './commands/digest.ts'
import { type ImportCommandOptions, importCaptions } from './commands/import.ts'
import { cancelJob, deleteJobs, listJobs, showResult, showStatus } from './commands/jobs.ts'
import { searchLibrary } from './commands/library.ts'
import { type ProcessCommandOptions, processVideos } from './commands/process.ts'
import { listVideosOf } from './commands/sources.ts'
import { showSubscriptions, watchSource } from './commands/subscriptions.ts'
import { syncFolder } from './commands/sync.ts'
import { addCompletion } from './completion.ts'
import type { CommandContext } from './context.ts'
import type { ExitCode } from './exit-codes.ts'
import { fetchSummary, fetchTranscript, SUMMARY_FORMATS, SYNC_FORMATS, TRANSCRIPT_FORMATS } from './formats.ts'
import {
  format,
  instructions,
  json,
  language,
  MODES,
  maxCost,
  noWait,
  output,
  outputLanguage,
  parseCount,
  templates,
  VIDEOS,
} from './program-options.ts'

export const VERSION = '0.1.0'

/** Defines the commands. Each one passes its exit code to `done`. */
export function createProgram(ctx: CommandContext, done: (code: ExitCode) => void): Command {
  const program = new Command('subtext')
    .description('Transcripts and summaries of public videos.')
    .configureOutput({
      writeOut: (text) => void ctx.terminal.stdout.write(text),
      writeErr: (text) => void ctx.terminal.stderr.write(text),
    })
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(`subtext --help` lists the commands)')
    .addHelpText(
      'after',
      '\nResults are written to standard output, progress and errors to standard error.\nExit codes: 0 done, 1 failed, 2 invalid usage, 3 partially failed.',
    )

  addVideoCommands(program, ctx, done)
  addImportCommand(program, ctx, done)
  addJobCommands(program, ctx, done)
  addChatCommand(program, ctx, done)
  addCostCommands(program, ctx, done)
  addLibraryCommands(program, ctx, done)
  program
    .command('videos')
    .description('list the videos of a playlist or a channel, or the episodes of a podcast')
    .argument('<url>', 'its address, an @handle, or the URL of a feed')
    .addOption(new Option('--type <type>', 'only videos of this type').choices(['video', 'short', 'live', 'episode']))
    .option('--not-processed', 'only videos that you have not processed')
    .option('--refresh', 'list it anew, even if it was listed a moment ago')
    .option('-n, --limit <count>', 'number of videos', parseCount)
    .addOption(json())
    .action(async (url: string, options) => done(await listVideosOf(ctx, url, options)))
  addSubscriptionCommands(program, ctx, done)
  program
    .command('usage')
    .description('show your plan, your quotas and the usage of this month')
    .addOption(json())
    .action(async (options) => done(await showUsage(ctx, options)))
  program
    .command('login')
    .description('save an API key, read from the terminal or standard input')
    .option('--base-url <url>', 'URL of the service')
    .addOption(json())
    .action(async (options) => done(await login(ctx, options)))
  program
    .command('logout')
    .description('delete the saved API key from this computer')
    .addOption(json())
    .action(async (options) => done(await logout(ctx, options)))
  addCompletion(program, ctx)
  return program
}

function addSubscriptionCommands(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('watch')
    .description('follow a playlist, a channel or a podcast: process its new videos')
    .argument('<url>', 'its address, or an @handle')
    .option('--notify', 'only report new videos')
    .option('-m, --mode <modes>', MODES)
    .option('--match <words...>', 'words and phrases to look for in what is said')
    .option('--catch-up <count>', 'how many of the newest videos to treat as new, up to 20', parseCount)
    .option('--max-per-day <count>', 'number of videos per day', parseCount)
    .option('--webhook <url>', 'where to send events')
    .addOption(new Option('--email <when>', 'when to send emails').choices(['each', 'daily', 'weekly']))
    .addOption(json())
    .action(async (url: string, options) => done(await watchSource(ctx, url, options)))
  program
    .command('subscriptions')
    .description('list what you follow, or what became of the videos of one')
    .argument('[id]', 'the ID of a subscription')
    .option('--pause', 'pause it')
    .option('--resume', 'resume it')
    .option('--check', 'look at its source now')
    .option('--delete', 'end it')
    .option('-n, --limit <count>', 'number of videos', parseCount)
    .addOption(json())
    .action(async (id: string | undefined, options) => done(await showSubscriptions(ctx, id, options)))
}

function addVideoCommands(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('summarize')
    .description('summarize videos')
    .argument('<url...>', VIDEOS)
    .option('-m, --mode <modes>', MODES)
    .addOption(templates())
    .addOption(language())
    .addOption(outputLanguage())
    .addOption(instructions())
    .addOption(maxCost())
    .addOption(format(SUMMARY_FORMATS, 'md'))
    .addOption(output())
    .addOption(noWait())
    .addOption(json())
    .action(async (urls: string[], options: ProcessCommandOptions) =>
      done(await processVideos(ctx, urls, options, fetchSummary)),
    )
  program
    .command('transcript')
    .description('print the transcripts of videos, without summaries and their cost')
    .argument('<url...>', VIDEOS)
    .addOption(language())
    .addOption(format(TRANSCRIPT_FORMATS, 'txt'))
    .addOption(output())
    .addOption(noWait())
    .addOption(json())
    .action(async (urls: string[], options: ProcessCommandOptions) =>
      done(await processVideos(ctx, urls, { ...options, transcriptOnly: true }, fetchTranscript)),
    )
}

function addImportCommand(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('import')
    .description('summarize captions of your own: SubRip, WebVTT, SBV, TTML, JSON of a speech service, text with times')
    .argument('<file...>', 'files with captions')
    .option('-l, --language <tag>', 'language of the captions, such as `de` (default: what the file says, or detected)')
    .option('--title <title>', 'title of the recording (default: the name of the file)')
    .addOption(format(SUMMARY_FORMATS, 'md'))
    .addOption(output())
    .addOption(noWait())
    .addOption(json())
    .action(async (files: string[], options: ImportCommandOptions) => done(await importCaptions(ctx, files, options)))
}

function addJobCommands(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('status')
    .description('show the state of a job')
    .argument('<job-id>')
    .option('--wait', 'wait until the job has ended')
    .addOption(json())
    .action(async (jobId: string, options) => done(await showStatus(ctx, jobId, options)))
  program
    .command('result')
    .description('wait for a job and print its result')
    .argument('<job-id>')
    .addOption(format(SUMMARY_FORMATS, 'md'))
    .addOption(output())
    .addOption(json())
    .action(async (jobId: string, options) => done(await showResult(ctx, jobId, options)))
  program
    .command('list')
    .description('list your jobs, newest first')
    .addOption(new Option('--status <status>', 'list only jobs with this status').choices(JOB_STATUSES))
    .option('-q, --search <text>', 'list only jobs whose title, channel or ID matches')
    .option('-n, --limit <count>', 'number of jobs', parseCount, 20)
    .addOption(json())
    .action(async (options) => done(await listJobs(ctx, options)))
  program
    .command('cancel')
    .description('cancel a job')
    .argument('<job-id>')
    .addOption(json())
    .action(async (jobId: string, options) => done(await cancelJob(ctx, jobId, options)))
  program
    .command('delete')
    .description('delete jobs that have ended, with everything that belongs to them')
    .argument('<job-id...>')
    .option('-y, --yes', 'do not ask')
    .addOption(json())
    .action(async (jobIds: string[], options) => done(await deleteJobs(ctx, jobIds, options)))
}

function addChatCommand(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('chat')
    .description('ask questions about the video of a completed job')
    .argument('<job-id>')
    .argument('[question...]', 'the question; without one, it is read from the terminal or standard input')
    .option('-c, --conversation <id>', 'continue a conversation')
    .option('--list', 'list the conversations about the video')
    .option('--show <id>', 'print a conversation')
    .option('--delete <id>', 'delete a conversation')
    .addOption(json())
    .action(async (jobId: string, question: string[], options: ChatCommandOptions) =>
      done(await chatAboutJob(ctx, jobId, question, options)),
    )
}

function addCostCommands(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('estimate')
    .description('show what a video would cost, and whether it would be accepted')
    .argument('<url>')
    .option('-m, --mode <modes>', MODES)
    .addOption(templates())
    .addOption(outputLanguage())
    .addOption(instructions())
    .addOption(maxCost())
    .addOption(json())
    .action(async (url: string, options) => done(await showEstimate(ctx, url, options)))
  program
    .command('derive')
    .description('add summaries to a completed job, or write them anew in another language, in a new job')
    .argument('<job-id>')
    .option('-m, --mode <modes>', MODES)
    .addOption(templates())
    .addOption(outputLanguage())
    .addOption(instructions())
    .addOption(maxCost())
    .addOption(json())
    .action(async (jobId: string, options) => done(await deriveJob(ctx, jobId, options)))
  program
    .command('receipt')
    .description('show what a job has cost, and why')
    .argument('<job-id>')
    .addOption(json())
    .action(async (jobId: string, options) => done(await showReceipt(ctx, jobId, options)))
}

function addLibraryCommands(program: Command, ctx: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('search')
    .description('search what was said in all of your videos')
    .argument('<query...>', 'words, "phrases" and -without after --, or a question with --kind question')
    .addOption(new Option('--kind <kind>', 'what to look for').choices(['words', 'question']))
    .option('--language <tag>', 'search only transcripts in this language')
    .option('-n, --limit <count>', 'number of videos, up to 50', parseCount, 10)
    .addOption(json())
    .action(async (query: string[], options) => done(await searchLibrary(ctx, query, options)))
  program
    .command('ask')
    .description('ask a question about all of your videos, or some of them')
    .argument('[question...]', 'the question; without one, it is read from standard input')
    .option('--batch <id>', 'only the videos of this batch')
    .option('--source <id>', 'only the videos of this source')
    .option('--job <ids...>', 'only the videos of these jobs')
    .option('-c, --conversation <id>', 'continue a conversation')
    .addOption(json())
    .action(async (question: string[], options: AskCommandOptions) => done(await askAboutMany(ctx, question, options)))
  program
    .command('digest')
    .description('make a digest of a batch: what its videos say, by themes')
    .argument('<batch-id>', 'a batch that has ended')
    .addOption(instructions())
    .addOption(outputLanguage())
    .addOption(format(DIGEST_COMMAND_FORMATS, 'md'))
    .option('-o, --output <file>', 'write to a file')
    .addOption(json())
    .action(async (batchId: string, options) => done(await makeDigest(ctx, batchId, options)))
  program
    .command('sync')
    .description('write a document of each of your videos to a folder, such as a vault of Obsidian')
    .argument('<folder>', 'files in it that you have edited or deleted are left alone')
    .addOption(format(SYNC_FORMATS, 'obsidian'))
    .option('--source <url>', 'only videos of this playlist or channel')
    .option('--restore', 'write files again that you have deleted')
    .option('--watch', 'go on, and write what is new as jobs are completed')
    .addOption(json())
    .action(async (folder: string, options) => done(await syncFolder(ctx, folder, options)))
}
