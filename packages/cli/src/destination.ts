import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from './context.ts'
import { UsageError } from './exit-codes.ts'
import { type Content, isBinary } from './formats.ts'
import { writeText } from './terminal-text.ts'
import { isVideoId, videoIdOf } from './video-id.ts'

/** Where results go: the standard output, a file, or one file per video in a folder. */
export interface Destination {
  /** Whether the result of a URL is there already. */
  has(url: string): Promise<boolean>
  write(url: string, videoId: string, content: Content): Promise<void>
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Never leaves a part of a file under its final name: a later run takes a file that exists for a complete one. */
async function writeWhole(path: string, content: Content): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.part`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}

/** @throws UsageError if several results would go to one file, or a picture or a PDF to a terminal. */
export async function openDestination(
  ctx: Context,
  output: string | undefined,
  { format, several }: { format: string; several: boolean },
): Promise<Destination> {
  if (output === undefined || output === '-') {
    if (isBinary(format) && (several || ctx.terminal.stdout.isTTY)) {
      throw new UsageError(`${format.toUpperCase()} needs a file or a folder: name one with --output.`)
    }
    return {
      has: async () => false,
      write: async (_url, _videoId, content) => writeText(ctx.terminal.stdout, content),
    }
  }
  if (several || output.endsWith('/') || (await isDirectory(output))) {
    if ((await exists(output)) && !(await isDirectory(output))) {
      throw new UsageError(`${output} is a file. Name a folder for several results.`)
    }
    const fileOf = (videoId: string): string => {
      if (!isVideoId(videoId))
        throw new Error(`The service named a video ${JSON.stringify(videoId)}, which is no file name.`)
      return join(output, `${videoId}.${format}`)
    }
    return {
      async has(url) {
        const videoId = videoIdOf(url)
        return videoId !== undefined && exists(fileOf(videoId))
      },
      write: (_url, videoId, content) => writeWhole(fileOf(videoId), content),
    }
  }
  return { has: async () => false, write: (_url, _videoId, content) => writeWhole(output, content) }
}
