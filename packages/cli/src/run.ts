import { SubtextError } from '@subtext/sdk'
import { CommanderError } from 'commander'
import type { CommandContext } from './context.ts'
import { type ExitCode, FAILED, INTERRUPTED, OK, USAGE, UsageError } from './exit-codes.ts'
import { TransferError } from './formats.ts'
import { messageOf } from './message.ts'
import { createProgram } from './program.ts'
import { writeIdsAsUrls } from './video-id.ts'

/** Runs a command line (without the name of the program) and returns the exit code. */
export async function run(ctx: CommandContext, args: string[]): Promise<ExitCode> {
  let code: ExitCode = OK
  try {
    await createProgram(ctx, (result) => {
      code = result
    }).parseAsync(writeIdsAsUrls(args), { from: 'user' })
    return code
  } catch (error) {
    if (ctx.signal.aborted) return INTERRUPTED
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE
    ctx.note(explain(error))
    const isUsage = error instanceof UsageError || (error instanceof SubtextError && error.code === 'VALIDATION_ERROR')
    return isUsage ? USAGE : FAILED
  }
}

/** Returns the message of an error, with a hint for solving it. */
function explain(error: unknown): string {
  if (!(error instanceof SubtextError)) return error instanceof Error ? error.message : String(error)
  const { code, requestId, jobId, docsUrl } = error
  const hint =
    code === 'UNAUTHORIZED'
      ? 'Run `subtext login`, or check SUBTEXT_API_KEY.'
      : code === 'CONNECTION_ERROR' && !(error instanceof TransferError)
        ? 'Is the service running? Set its URL with SUBTEXT_API_BASE or `subtext login --base-url`.'
        : undefined
  return [
    messageOf(error),
    hint,
    jobId && `Job: ${jobId}`,
    docsUrl && `See ${docsUrl}`,
    requestId && `Request: ${requestId}`,
  ]
    .filter(Boolean)
    .join('\n')
}
