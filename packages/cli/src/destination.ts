import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandContext } from './context.ts'
import { UsageError } from './exit-codes.ts'
import { isDirectory, openFolder, writeWhole } from './files.ts'
import { extensionOf, type FileContent, isBinary } from './formats.ts'
import { writeText } from './terminal-text.ts'
import { isVideoId, videoIdOf } from './video-id.ts'

/** Where results go: standard output, a file, or one file per video in a folder. */
export interface Destination {
  /** Whether the result of a URL already exists. */
  has(url: string): Promise<boolean>
  write(url: string, videoId: string, content: FileContent): Promise<void>
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Explains an error of the file system, whose message names the system call rather than the purpose. */
const cannotWrite = (path: string, error: unknown): string => `Cannot write to ${path}: ${(error as Error).message}`

async function writeTo(path: string, content: FileContent): Promise<void> {
  await writeWhole(path, content).catch((error: unknown) => {
    throw new Error(cannotWrite(path, error), { cause: error })
  })
}

/** Checks this before anything is submitted, rather than when a result cannot be written. */
async function checkFolder(folder: string, output: string): Promise<void> {
  await openFolder(folder).catch((error: unknown) => {
    throw new UsageError(cannotWrite(output, error), { cause: error })
  })
}

/**
 * @throws UsageError if several results would go to one file, a picture or a PDF to a terminal, or files to a folder that
 *   cannot be created or written to.
 */
export async function openDestination(
  ctx: CommandContext,
  output: string | undefined,
  { format, several }: { format: string; several: boolean },
): Promise<Destination> {
  if (output === '') throw new UsageError('--output is empty. Name a file or a folder.')
  if (output === undefined || output === '-') {
    if (isBinary(format) && (several || ctx.terminal.stdout.isTTY)) {
      throw new UsageError(`${format.toUpperCase()} needs a file or a folder: name one with --output.`)
    }
    return {
      has: async () => false,
      async write(_url, _videoId, content) {
        if (format === 'md' && typeof content === 'string') ctx.printMarkdown(content)
        else writeText(ctx.terminal.stdout, content)
      },
    }
  }
  if (several || output.endsWith('/') || (await isDirectory(output))) {
    if ((await exists(output)) && !(await isDirectory(output))) {
      throw new UsageError(`${output} is a file. Name a folder for several results.`)
    }
    await checkFolder(output, output)
    const fileOf = (videoId: string): string => {
      if (!isVideoId(videoId))
        throw new Error(`The service returned the video ID ${JSON.stringify(videoId)}, which cannot be a file name.`)
      return join(output, `${videoId}.${extensionOf(format)}`)
    }
    return {
      async has(url) {
        const videoId = videoIdOf(url)
        return videoId !== undefined && exists(fileOf(videoId))
      },
      write: (_url, videoId, content) => writeTo(fileOf(videoId), content),
    }
  }
  await checkFolder(dirname(output), output)
  return { has: async () => false, write: (_url, _videoId, content) => writeTo(output, content) }
}
