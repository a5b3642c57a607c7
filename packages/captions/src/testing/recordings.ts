import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { captionFiles, recordedRepliesFolder } from './env.ts'

const BESIDE_THE_REPOSITORY = '../../../../../shared/fixtures/youtube'

const folder = (): string =>
  recordedRepliesFolder() ?? resolve(fileURLToPath(new URL('.', import.meta.url)), BESIDE_THE_REPOSITORY)

export interface Recording {
  name: string
  text: string
}

/**
 * Reads responses recorded from the video platform. We may not redistribute them, so they are not part of the repository:
 * they are read from `TEST_YOUTUBE_RECORDINGS`, or else from a folder beside the repository. Returns none if neither exists.
 */
export const readRecordings = (kind: string): Recording[] => {
  const place = join(folder(), kind)
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, text: readFileSync(join(place, name), 'utf8') }))
}

const CAPTION_FILES = '../../../../../shared/fixtures/captions-import'

/** Where caption files as people have them are read from: a folder beside the repository, because not all may be redistributed. */
export const captionFilesFolder = (): string =>
  captionFiles() ?? resolve(fileURLToPath(new URL('.', import.meta.url)), CAPTION_FILES)

/** Reads one of the caption files, unpacked. */
export function readCaptionSample(name: string): Buffer {
  const place = join(captionFilesFolder(), name)
  return existsSync(place) ? readFileSync(place) : gunzipSync(readFileSync(`${place}.gz`))
}
