import { writeFile } from 'node:fs/promises'
import type { CommandContext } from '../context.ts'
import { type ExitCode, FAILED, OK, UsageError } from '../exit-codes.ts'

export const DIGEST_COMMAND_FORMATS = ['md', 'html', 'json', 'pdf']
const FORMATS: Record<string, 'markdown' | 'html' | 'pdf'> = { md: 'markdown', html: 'html', pdf: 'pdf' }

interface DigestCommandOptions {
  format: string
  instructions?: string
  outputLanguage?: string
  output?: string
  json?: boolean
}

/** Makes a digest of a batch that has ended, waits for it, and prints it or writes it to a file. */
export async function makeDigest(
  ctx: CommandContext,
  batchId: string,
  { format, instructions, outputLanguage, output, json }: DigestCommandOptions,
): Promise<ExitCode> {
  const form = json ? 'json' : format
  if (form === 'pdf' && output === undefined) throw new UsageError('A PDF is written to a file: add -o FILE.')
  const { digests } = await ctx.connect()
  const { signal } = ctx
  const wish = { ...(instructions && { instructions }), ...(outputLanguage && { output_language: outputLanguage }) }
  const { digest_id: id } = await digests.create(batchId, wish, { signal })
  ctx.note(`Digest ${id} is being made.`)
  const digest = await digests.wait(id, { signal })
  if (digest.status === 'failed') {
    ctx.note(digest.error?.message ?? 'The digest could not be made.')
    return FAILED
  }
  for (const { message, code } of digest.warnings ?? []) ctx.note(`${message} (${code})`)
  const document = FORMATS[form]
  if (!document) return deliver(ctx, JSON.stringify(digest, null, json ? 0 : 2), output)
  const response = await digests.document(id, document, { signal })
  return deliver(ctx, document === 'pdf' ? Buffer.from(await response.arrayBuffer()) : await response.text(), output)
}

async function deliver(ctx: CommandContext, content: string | Buffer, output: string | undefined): Promise<ExitCode> {
  if (output === undefined) ctx.print(String(content).trimEnd())
  else await writeFile(output, content)
  return OK
}
